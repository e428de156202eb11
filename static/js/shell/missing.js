// Without the fetched library no page works: each says so, instead of being blank.

/** Loads a page. @param {() => Promise<unknown>} load */
export async function boot(load) {
  try {
    await import('../lit.js');
    await load();
  } catch (failure) {
    const missing = document.getElementById('without-library');
    const found = await fetch(new URL('../../lib/lit-html.js', import.meta.url), { method: 'HEAD' }).then((r) => r.ok, () => false);
    if (found || !missing) throw failure;
    missing.hidden = false;
    document.body.classList.add('bare');
  }
}
