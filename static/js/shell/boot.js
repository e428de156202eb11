// The first script. When the fetched library is missing it says so, instead of
// leaving a page on which nothing works.

try {
  await import('../lit.js');
  await import('./main.js');
} catch (failure) {
  const missing = document.getElementById('without-library');
  const found = await fetch(new URL('../../lib/lit-html.js', import.meta.url), { method: 'HEAD' }).then((r) => r.ok, () => false);
  if (found || !missing) throw failure;
  missing.hidden = false;
  document.body.classList.add('bare');
}
