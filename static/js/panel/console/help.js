// What help tells at a console: the commands that the server lists, each with what it is
// for. zkCli itself lists them without a word, as an error.

import { t } from '../../text/language.js';

/** What the commands are for, in groups: those that are asked for most stand last, where they are seen. @type {[string, Record<string, string>][]} */
const groups = [
  [t`Session`, {
    quit: t`closes the session and leaves; Enter makes you a client again`,
    close: t`closes the session`,
    connect: t`opens a new session, without host and port here`,
    whoami: t`tells who you are to the server`,
    addauth: t`adds a name and a password to the session`,
    history: t`lists the lines that were typed`,
    redo: t`does an earlier line again`,
    version: t`tells the version of the client`,
    config: t`shows of which servers the ensemble consists`,
  }],
  [t`Watches`, {
    addWatch: t`leaves a watch that stays after it has fired`,
    removewatches: t`takes watches away`,
    printwatches: t`shows notifications, or does not`,
  }],
  [t`Znodes`, {
    create: t`makes a znode: persistent, with -e ephemeral, with -s sequential`,
    ls: t`lists the children`,
    get: t`shows the data, with -s what the server keeps beside it`,
    stat: t`shows what the server keeps about a znode`,
    set: t`writes the data, with -v only over that version`,
    delete: t`deletes a znode that has no children`,
    deleteall: t`deletes a znode and all below it`,
    getAllChildrenNumber: t`counts all that is below a znode`,
    getEphemerals: t`lists the ephemeral znodes of this session`,
    getAcl: t`shows who may do what with a znode`,
    setAcl: t`says who may do what with a znode`,
    sync: t`waits until this server has every change so far`,
  }],
];

/** The list, or what there is to say of one command. @param {string[]} usages as the server gives them, the command first */
export function helpText(usages) {
  const left = new Map(usages.map((usage) => [usage.split(' ')[0] ?? '', usage]));
  const told = groups.map(([title, words]) => {
    const lines = Object.entries(words).flatMap(([name, what]) => {
      const usage = left.get(name);
      left.delete(name);
      return usage === undefined ? [] : [line(usage, what)];
    });
    return lines.length && usages.length > 1 ? [title, ...lines].join('\n') : lines.join('\n');
  });
  const others = [...left.values()].join('\n');
  const watch = usages.length > 1 ? t`ls, get and stat leave a watch with -w: it fires once.` : '';
  return [...told, others, watch].filter(Boolean).join('\n');
}

/** The optional part of zkCli's own words about addWatch says nothing here. @param {string} usage @param {string} what */
const line = (usage, what) => `  ${usage.replace(/ #.*/, '')}  — ${what}`;
