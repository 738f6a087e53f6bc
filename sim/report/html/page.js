// Draws the trace in #trace: a row per step, arrows between them, and what holds at the chosen one.
// All that comes from the trace is put in as text, never as markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('trace').textContent);
  const steps = data.steps;
  const threads = data.threads;
  const get = (id) => document.getElementById(id);
  const detail = get('detail');

  /* Elements. */

  function el(tag, properties, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (name === 'style') {
        for (const [key, one] of Object.entries(value)) made.style.setProperty(key, one);
      } else if (name === 'onclick') {
        made.addEventListener('click', value);
      } else if (value !== undefined && value !== false) {
        made.setAttribute(name, value);
      }
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  }

  function svg(tag, attributes, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function stepLink(step, text) {
    return el('button', {
      type: 'button', class: 'step-link', 'data-step': step,
      title: `${threadName(step)}: ${steps[step].action}\n` +
        place(steps[step].file, steps[step].line),
      onclick: () => choose(step, true),
    }, text || `step ${step}`);
  }

  // "step 3" in a sentence becomes a link to it.
  function withLinks(text) {
    return text.split(/\b(step \d+)\b/).map((part, index) => {
      const step = Number(part.slice(5));
      return index % 2 === 1 && step < steps.length ? stepLink(step, part) : part;
    });
  }

  const tint = (thread) => ({'--tint': `var(--thread-${thread % 8})`});
  const place = (file, line) => file === undefined ? '' : `${data.files[file].name}:${line}`;
  const shortPlace = (file, line) => place(file, line).replace(/^.*\//, '');
  const threadName = (step) => threads[steps[step].thread].name;
  const isOperation = (step) => step.kind.startsWith('operation');
  const isCell = (step) => step.kind.startsWith('cell');
  // Plain memory is told about only where it is what went wrong.
  const isAboutMemory = ['data_race', 'use_after_free', 'uninitialised_read']
    .includes(data.kind);
  const matters = (step) => step.relevant && (isAboutMemory || !isCell(step));
  const isQuiet = (step) => isCell(step) || step.kind === 'spin' ||
    step.kind === 'choose';

  /* What is known of each step. */

  const staleAt = new Map(data.stale.map((one) => [one.read, one]));
  const readers = steps.map(() => []);
  const synchronisesFrom = steps.map(() => []);
  const synchronisesTo = steps.map(() => []);
  const links = [];
  const linked = new Set();
  for (const [from, to] of data.synchronisations) {
    synchronisesTo[from].push(to);
    synchronisesFrom[to].push(from);
    links.push({from, to, kind: 'sw'});
    linked.add(`${from} ${to}`);
  }
  steps.forEach((step, to) => {
    if (step.source === undefined) return;
    readers[step.source].push(to);
    if (!linked.has(`${step.source} ${to}`)) links.push({from: step.source, to, kind: 'rf'});
  });
  for (const one of data.stale) links.push({from: one.missed, to: one.read, kind: 'missed'});
  const lastOf = threads.map(() => -1);
  steps.forEach((step, index) => { lastOf[step.thread] = index; });

  const happensBefore = (before, after) =>
    before !== after && steps[after].clock[steps[before].thread] >= steps[before].number;

  /* Head. */

  function drawHead() {
    const model = data.memory_model === 'sc' ? 'sequential consistency' : data.memory_model;
    get('kicker').textContent = `${data.scenario} \u00b7 execution ` +
      `${data.execution.toLocaleString('en')} under ${model}` +
      (data.timeouts ? '' : ' \u00b7 no timed wait ends by time');
    get('title').textContent = data.title;
    if (data.decisive) {
      const decisive = get('decisive');
      decisive.hidden = false;
      decisive.append(el('strong', {}, 'The decisive step: '), ...withLinks(data.decisive));
    }
    const lines = data.message.split('\n');
    const table = lines.findIndex((line) => line.startsWith('  '));
    let lead = (table < 0 ? lines : lines.slice(0, table)).join(' ').trim();
    const said = `${data.title.toLowerCase()}: `;
    if (lead.startsWith(said)) lead = lead[said.length].toUpperCase() + lead.slice(said.length + 1);
    const isAboutWaiting = data.kind === 'deadlock' || data.kind === 'livelock';
    const story = [...data.story];
    if (lead && (!isAboutWaiting || story.length === 0)) story.unshift(lead);
    for (const line of data.conflict) story.push(line);
    if (data.file !== undefined && !isAboutWaiting) {
      story.push(`It showed in ${data.thread} at ${place(data.file, data.line)}.`);
    }
    get('story').append(...story.map((line) => el('li', {}, ...withLinks(line))));
    get('message').textContent = data.message;
    get('message-box').hidden = data.message === '' || (!isAboutWaiting && lead === data.message);
    document.documentElement.style.setProperty('--threads', threads.length);
    get('heads').append(el('span'), ...threads.map((thread, index) => {
      const start = thread.started_in;
      return el('span', {class: 'head', style: {...tint(index), 'grid-column': index + 2}},
        thread.name + ' ',
        start === undefined ? null : el('small', {}, `started by ${threadName(start)}`));
    }));
  }

  /* Rows. */

  const state = {chosen: steps.length - 1, fold: true, only: true, arrows: true, opened: new Set()};
  let cards = new Map();   // step: the card that shows it or stands for it
  let visible = [];        // steps that can be chosen, in order

  function rowsToDraw() {
    const base = state.fold ? data.rows : steps.map((_, step) => ({step}));
    if (!state.only) return base;
    const rows = [];
    let group = null;
    for (const row of base) {
      if (matters(steps[row.step]) || state.opened.has(row.step)) {
        group = null;
        rows.push(row);
      } else if (group) {
        group.aside.push(row);
      } else {
        group = {step: row.step, aside: [row]};
        rows.push(group);
      }
    }
    return rows;
  }

  function asideText(rows) {
    const many = rows.length === 1 ? '1 step' : `${rows.length} steps`;
    if (!rows.every((row) => steps[row.step].relevant)) return `${many} without effect here`;
    return rows.length === 1 ? '1 plain access' : `${rows.length} plain accesses`;
  }

  function card(step) {
    const one = steps[step];
    const names = ['step'];
    if (one.stale) names.push('stale');
    if (one.kind === 'blocked') names.push('blocked');
    if (isOperation(one)) names.push('operation');
    if (isQuiet(one)) names.push('quiet-step');
    return el('div', {class: names.join(' ')},
      el('div', {class: 'line'}, el('span', {class: 'act'}, one.action),
        one.file === undefined ? null
          : el('span', {class: 'at', title: place(one.file, one.line)},
            shortPlace(one.file, one.line))),
      one.remarks.map((remark) => el('div', {class: 'note'}, remark)));
  }

  function rowOf(step, content, classes) {
    const thread = steps[step].thread;
    content.style.setProperty('grid-column', thread + 2);
    const lanes = threads.map((_, index) => el('span', {
      class: 'lane', style: {...tint(index), 'grid-column': index + 2}}));
    return el('div', {
      class: `row ${classes}`, id: `row-${step}`, style: tint(thread), 'data-step': step},
      el('span', {class: 'number'}, String(step)), lanes,
      el('span', {class: 'dot', style: {'grid-column': thread + 2}}), content);
  }

  function drawRows() {
    cards = new Map();
    visible = [];
    const drawn = [svg('svg', {class: 'links', 'aria-hidden': 'true'})];
    for (const row of rowsToDraw()) {
      if (row.aside) {
        const hidden = row.aside.map((one) => one.step);
        const text = el('div', {class: 'step', title: 'Show them'}, `+ ${asideText(row.aside)}`);
        const made = rowOf(row.step, text, 'fold-row aside-row');
        made.addEventListener('click', () => {
          hidden.forEach((step) => state.opened.add(step));
          draw();
        });
        for (const one of row.aside) {
          for (let step = one.step; step <= (one.end || one.step); ++step) {
            if (step === one.step || !cards.has(step)) cards.set(step, text);
          }
        }
        drawn.push(made);
      } else if (row.rounds) {
        const text = el('div', {class: 'step'}, `\u21ba steps ${row.first}\u2013${row.last} ` +
          `again, ${row.rounds} ${row.rounds === 1 ? 'time' : 'times'}, up to step ${row.end}`);
        drawn.push(rowOf(row.step, text, 'fold-row'));
        for (let step = row.step; step <= row.end; ++step) {
          if (steps[step].thread === steps[row.step].thread) cards.set(step, text);
        }
      } else {
        const made = rowOf(row.step, card(row.step), matters(steps[row.step]) ? '' : 'aside');
        made.setAttribute('role', 'option');
        made.addEventListener('click', () => choose(row.step, false));
        cards.set(row.step, made.querySelector('.step'));
        visible.push(row.step);
        drawn.push(made);
      }
    }
    document.querySelector('main').append(detail);  // it may be among the rows
    get('rows').replaceChildren(...drawn);
    const aside = steps.filter((step) => !step.relevant).length;
    get('only-label').hidden = steps.every(matters);
    get('fold-label').hidden = !data.rows.some((row) => row.rounds);
    get('folded').textContent = steps.length === 0
      ? 'The execution failed before its first step.'
      : aside === 0 ? '' : `${aside} of ${steps.length} steps do not matter for this failure: ` +
        'neither program order nor a value that was read leads from them to it.';
    get('slider').max = Math.max(0, visible.length - 1);
  }

  /* Arrows. */

  const marker = (kind) => svg('marker', {
    id: `head-${kind}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
    markerUnits: 'userSpaceOnUse', orient: 'auto'}, svg('path', {d: 'M0 0L8 4L0 8Z'}));

  function curve(from, to, origin, lanes) {
    if (lanes) {
      const dot = (box) => box.parentElement.querySelector('.dot').getBoundingClientRect();
      const a = dot(from);
      const b = dot(to);
      const ax = a.left + a.width / 2 - origin.left;
      const bx = b.left + b.width / 2 - origin.left;
      const ay = a.bottom - origin.top;
      const by = b.top - origin.top;
      const bend = Math.min(28, Math.abs(by - ay) / 2);
      return `M${ax} ${ay}C${ax} ${ay + bend} ${bx} ${by - bend} ${bx} ${by}`;
    }
    const a = from.getBoundingClientRect();
    const b = to.getBoundingClientRect();
    const ay = a.top + a.height * .62 - origin.top;
    const by = b.top + Math.min(16, b.height / 2) - origin.top;
    if (Math.abs(a.left - b.left) < 4) {
      const x = a.left - origin.left;
      return `M${x} ${ay}C${x - 22} ${ay} ${x - 22} ${by} ${x} ${by}`;
    }
    const right = b.left > a.left;
    const ax = (right ? a.right : a.left) - origin.left;
    const bx = (right ? b.left : b.right) - origin.left;
    const bend = (right ? 1 : -1) * Math.max(22, Math.min(60, Math.abs(bx - ax) * .6));
    return `M${ax} ${ay}C${ax + bend} ${ay} ${bx - bend} ${by} ${bx} ${by}`;
  }

  function drawLinks() {
    const rows = get('rows');
    const origin = rows.getBoundingClientRect();
    const lanes = document.body.classList.contains('lanes');
    const drawn = [];
    for (const link of links) {
      const from = cards.get(link.from);
      const to = cards.get(link.to);
      const near = link.from === state.chosen || link.to === state.chosen;
      const within = steps[link.from].thread === steps[link.to].thread;
      if (!from || !to || from === to || ((within || !state.arrows) && !near)) continue;
      const later = link.to > state.chosen && !near;
      drawn.push(svg('path', {
        d: curve(from, to, origin, lanes),
        class: `${link.kind}${near ? ' near' : ''}${later ? ' dim' : ''}`,
        'marker-end': `url(#head-${link.kind})`, 'data-link': `${link.from} ${link.to}`}));
    }
    rows.querySelector('svg.links').replaceChildren(
      svg('defs', {}, marker('rf'), marker('sw'), marker('missed')), ...drawn);
  }

  /* Beside the rows: what holds at the chosen step. */

  function section(id, title, ...children) {
    get(id).replaceChildren(el('h2', {}, title), ...children.flat().filter(Boolean));
  }

  const linkList = (all) => all.flatMap((step, index) =>
    [index === 0 ? '' : ' ', stepLink(step)]);

  function drawNow(index) {
    const step = steps[index];
    const rows = [];
    const add = (term, ...values) => rows.push(el('dt', {}, term), el('dd', {}, ...values));
    if (step.source !== undefined) {
      add('value from', stepLink(step.source), ` of ${threadName(step.source)}`);
    } else if (step.read !== undefined) {
      add('value from', 'construction: nobody had written it');
    }
    if (readers[index].length) add('read by', ...linkList(readers[index]));
    if (synchronisesFrom[index].length) {
      add('comes after', ...linkList(synchronisesFrom[index]), ' and all before (synchronises)');
    }
    if (synchronisesTo[index].length) add('releases to', ...linkList(synchronisesTo[index]));
    const wait = data.waits.find((one) => one.step === index);
    if (wait && wait.who && data.locations.every((one) => one.role !== 'ticket' ||
      !wait.who.includes(one.name))) {
      add('nobody comes', ...withLinks(wait.who));
    }
    if (step.function) {
      add('in', el('code', {title: step.function}, step.function.replace(/ \[with .*$/, '')));
    }
    get('now').style.setProperty('--tint', `var(--thread-${step.thread % 8})`);
    section('now', `Step ${index} \u00b7 ${threadName(index)}`,
      el('div', {class: 'act'}, step.action),
      step.remarks.map((remark) => el('p', {class: step.stale ? 'old' : 'quiet'}, remark)),
      rows.length ? el('dl', {}, ...rows) : null);
  }

  function sourceLine(step) {
    const {file, line} = steps[step];
    if (file === undefined) return null;
    const found = (data.files[file].lines || []).find(([number]) => number === line);
    return found ? el('code', {class: 'line'}, found[1].trim()) : null;
  }

  function drawStale(index) {
    const box = get('stale');
    const one = staleAt.get(index);
    box.hidden = !one;
    if (!one) {
      box.replaceChildren();
      return;
    }
    const children = [el('p', {}, ...withLinks(one.why))];
    children.push(el('h2', {}, 'What would forbid it'));
    one.remedies.forEach((changes, number) => {
      if (number > 0) children.push(el('p', {class: 'or'}, 'or'));
      if (changes.length > 1) children.push(el('p', {}, 'Together:'));
      children.push(el('ul', {}, changes.map((change) => {
        const {file, line} = steps[change.step];
        return el('li', {}, change.what, change.fence ? ' behind ' : ' in ',
          stepLink(change.step), ` (${shortPlace(file, line) || threadName(change.step)})`,
          sourceLine(change.step));
      })));
    });
    if (one.remedies.length === 0) {
      children.push(el('p', {}, one.cycle.length || !one.sc
        ? 'No change of one place that was tried forbids it.'
        : 'No memory order does: the load may simply come first. A lock, or waiting for the write, ' +
          'would.'));
    } else {
      children.push(el('p', {class: 'or'},
        'Tried: with this, these very steps are no longer an execution of C++.'));
    }
    const machines = [['sc', 'interleavings (SC)'], ['tso', 'x86 (TSO)'],
      ['weaker', 'ARM, POWER, compilers']];
    children.push(el('h2', {}, 'Where it can happen'));
    const rows = machines.filter(([id]) => one[id]).flatMap(([id, name]) => [
      el('span', {class: `machine ${one[id].possible ? 'yes' : 'no'}`},
        `${one[id].possible ? 'can happen' : 'cannot'}`),
      el('span', {}, el('strong', {}, `${name}: `), ...withLinks(one[id].why))]);
    children.push(rows.length ? el('div', {class: 'machines'}, ...rows)
      : el('p', {}, 'The execution is too long to judge that here.'));
    section('stale', 'Why may it read an old value?', children);
  }

  function drawSource(index) {
    const step = steps[index];
    if (step.file === undefined) {
      get('source').replaceChildren();
      return;
    }
    const file = data.files[step.file];
    const lines = (file.lines || []).filter(([number]) => Math.abs(number - step.line) <= 5);
    const title = place(step.file, step.line);
    if (!file.found || lines.length === 0) {
      section('source', title, el('p', {class: 'quiet'}, file.found
        ? 'The file on this disk has no such line: it has changed since the trace was recorded.'
        : 'This file was not found when the page was made. Run heddle show where it can be seen, ' +
          'for example in the root of the sources.'));
      return;
    }
    const indent = Math.min(...lines.filter(([, text]) => text.trim())
      .map(([, text]) => text.length - text.trimStart().length));
    section('source', title, el('div', {class: 'code', tabindex: 0, role: 'region',
      'aria-label': 'Source'}, lines.map(([number, text]) =>
      el('div', {class: number === step.line ? 'here' : ''},
        el('span', {class: 'ln'}, String(number)), text.slice(indent) || ' '))));
  }

  function drawMemory(index) {
    const newest = data.locations.map(() => undefined);
    for (let at = 0; at <= index; ++at) {
      const step = steps[at];
      if (step.written === undefined || step.location === undefined) continue;
      const before = newest[step.location];
      if (before === undefined || steps[before].position < step.position) {
        newest[step.location] = at;
      }
    }
    const chosen = steps[index];
    const rows = data.locations.map((location, number) => {
      const write = newest[number];
      const value = write === undefined ? location.initial : steps[write].written;
      const touched = chosen.location === number;
      const seen = touched && chosen.stale
        ? el('div', {class: 'old'}, `${threadName(index)} still sees ${chosen.read}`) : null;
      const role = location.role === 'atomic' ? '' : location.role.replace(/_/g, ' ');
      return el('tr', {class: touched ? 'touched' : '', title: [location.id, location.file ===
        undefined ? '' : `constructed at ${place(location.file, location.line)}`]
        .filter(Boolean).join(', ')},
        el('td', {}, el('span', {class: 'name'}, location.name),
          role ? el('span', {class: 'quiet'}, ` ${role}`) : null),
        el('td', {class: 'value'}, value === undefined ? '\u2013' : value, seen),
        el('td', {}, write === undefined ? el('span', {class: 'quiet'}, 'construction')
          : [el('span', {class: 'thread-name', style: tint(steps[write].thread)},
            threadName(write)), ' ', stepLink(write)]));
    });
    if (rows.length === 0) {
      get('memory').replaceChildren();
      return;
    }
    section('memory', `Memory after step ${index}`, el('table', {},
      el('tr', {}, el('th', {scope: 'col'}, 'location'), el('th', {scope: 'col'}, 'newest value'),
        el('th', {scope: 'col'}, 'written by')), rows));
  }

  function drawThreads(index) {
    const rows = threads.map((thread, number) => {
      let last = -1;
      for (let at = 0; at <= index; ++at) if (steps[at].thread === number) last = at;
      const starts = thread.started_in;
      let what = 'has done nothing yet';
      if (starts !== undefined && starts > index) what = 'is not started yet';
      if (last >= 0) {
        what = steps[last].action;
        const isEnd = last === lastOf[number] && steps[last].kind !== 'blocked' &&
          steps[last].kind !== 'spin' && index === steps.length - 1;
        if (isEnd) what += thread.name === data.thread ? ', and then the failure' : '';
      }
      return el('tr', {}, el('td', {class: 'thread-name', style: tint(number)}, thread.name),
        el('td', {}, el('span', {class: 'mono'}, what)),
        el('td', {}, last < 0 ? '' : stepLink(last)));
    });
    section('threads', 'Where each thread is', el('table', {}, rows));
  }

  /* The operation history. */

  function drawHistory() {
    if (data.operations.length === 0) return;
    const box = get('history');
    box.hidden = false;
    const scale = (step) => `${100 * step / steps.length}%`;
    const rows = [];
    threads.forEach((thread, number) => {
      const mine = data.operations.filter((one) => one.thread === number);
      if (mine.length === 0) return;
      const track = el('div', {class: 'track'}, el('span', {class: 'now-line'}));
      for (const one of mine) {
        const end = one.returned === undefined ? steps.length : one.returned + 1;
        const text = one.returned === undefined ? `${one.call}, never returned`
          : one.result ? `${one.call} \u2192 ${one.result}` : one.call;
        track.append(el('button', {
          type: 'button', title: `${text} (steps ${one.called} to ${end - 1})`,
          class: `call ${one.part || ''}${one.returned === undefined ? ' open' : ''}`,
          'data-from': one.called, 'data-to': end - 1,
          style: {...tint(number), left: scale(one.called), width: scale(end - one.called)},
          onclick: () => choose(one.called, true)}, text));
      }
      rows.push(el('span', {class: 'thread-name', style: tint(number)}, thread.name), track);
    });
    const failed = data.operations.some((one) => one.part);
    box.append(el('h2', {}, failed ? 'Operations, and why no order of them is right'
      : 'Operations'), el('div', {class: 'calls'}, ...rows));
    const lines = data.message.split('\n');
    const table = lines.findIndex((line) => line.startsWith('  '));
    if (failed && table >= 0) {
      box.append(el('div', {class: 'orders'}, el('p', {class: 'quiet'},
        'Red: the operations that contradict each other. Dashed: what they refer to.'),
      el('pre', {}, lines.slice(table).join('\n').trimEnd())));
    }
  }

  function drawHistoryAt(index) {
    for (const line of document.querySelectorAll('.now-line')) {
      line.style.left = `${100 * (index + .5) / steps.length}%`;
    }
    for (const call of document.querySelectorAll('.call')) {
      const {from, to} = call.dataset;
      call.classList.toggle('running', Number(from) <= index && index <= Number(to) &&
        steps[index].thread === steps[Number(from)].thread);
    }
  }

  /* Choosing. */

  function choose(step, scroll) {
    if (steps.length === 0) return;
    state.chosen = Math.max(0, Math.min(steps.length - 1, step));
    if (!visible.includes(state.chosen)) {
      // A link leads to what is folded away: open it.
      state.opened.add(state.chosen);
      if (!matters(steps[state.chosen])) drawRows();
      if (!visible.includes(state.chosen)) {
        state.fold = get('fold').checked = false;
        drawRows();
      }
    }
    show();
    if (!scroll) return;
    const row = get(`row-${state.chosen}`);
    if (row) row.scrollIntoView({block: 'nearest'});
  }

  function move(by) {
    const at = visible.findIndex((step) => step >= state.chosen);
    const next = Math.max(0, Math.min(visible.length - 1, (at < 0 ? visible.length : at) + by));
    if (visible.length) choose(visible[next], true);
  }

  function nextStale() {
    const reads = data.stale.map((one) => one.read);
    if (reads.length) choose(reads.find((read) => read > state.chosen) ?? reads[0], true);
  }

  function show() {
    const chosen = state.chosen;
    for (const row of get('rows').querySelectorAll('.row')) {
      const step = Number(row.dataset.step);
      const isChosen = step === chosen && row.getAttribute('role') === 'option';
      row.classList.toggle('chosen', isChosen);
      row.classList.toggle('later', step > chosen);
      if (row.getAttribute('role') === 'option') row.setAttribute('aria-selected', isChosen);
      row.querySelector('.step').classList.toggle('before', step < chosen &&
        happensBefore(step, chosen) && steps[step].thread !== steps[chosen].thread);
    }
    get('rows').setAttribute('aria-activedescendant', `row-${chosen}`);
    const at = visible.indexOf(chosen);
    get('where').textContent = `step ${chosen} of ${steps.length - 1}`;
    get('slider').value = Math.max(0, at);
    get('slider').setAttribute('aria-valuetext', `step ${chosen}: ${steps[chosen].action}`);
    get('first').disabled = get('back').disabled = at <= 0;
    get('last').disabled = get('forward').disabled = at === visible.length - 1;
    drawNow(chosen);
    drawStale(chosen);
    drawSource(chosen);
    drawMemory(chosen);
    drawThreads(chosen);
    drawHistoryAt(chosen);
    placeDetail();
    drawLinks();
  }

  function draw() {
    drawRows();
    if (steps.length === 0) {
      detail.hidden = true;
      for (const control of document.querySelectorAll('.toolbar button, .toolbar input')) {
        control.disabled = true;
      }
      return;
    }
    choose(state.chosen, false);
  }

  /* Room. */

  // With little room the detail opens under the chosen row, and threads become rails.
  function placeDetail() {
    const inside = window.innerWidth <= 1000;
    document.body.classList.toggle('inside', inside);
    const row = get(`row-${state.chosen}`);
    if (inside && row) {
      if (row.nextSibling !== detail) row.after(detail);
    } else if (detail.parentElement.tagName !== 'MAIN') {
      document.querySelector('main').append(detail);
    }
  }

  function layOut() {
    const width = document.querySelector('.execution').clientWidth;
    document.body.classList.toggle('lanes', width / Math.max(1, threads.length) < 210);
    if (steps.length === 0) return;
    placeDetail();
    drawLinks();
  }

  function toggle(id) {
    state[id] = get(id).checked;
    state.opened.clear();
    draw();
    layOut();
  }

  const keys = {
    j: () => move(1), ArrowDown: () => move(1), ArrowRight: () => move(1), k: () => move(-1),
    ArrowUp: () => move(-1), ArrowLeft: () => move(-1), Home: () => move(-steps.length),
    End: () => move(steps.length), n: nextStale,
    f: () => get('fold').click(), m: () => get('only').click(), a: () => get('arrows').click(),
  };

  document.addEventListener('keydown', (event) => {
    const target = event.target;
    const isCode = target.classList && target.classList.contains('code');
    const known = Object.hasOwn(keys, event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || !known) return;
    if (target.id === 'slider' || (isCode && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    keys[event.key]();
  });
  get('first').addEventListener('click', () => keys.Home());
  get('last').addEventListener('click', () => keys.End());
  get('back').addEventListener('click', () => move(-1));
  get('forward').addEventListener('click', () => move(1));
  get('slider').addEventListener('input', () => choose(visible[get('slider').value], true));
  for (const id of ['fold', 'only', 'arrows']) get(id).addEventListener('change', () => toggle(id));

  drawHead();
  drawHistory();
  const fromAddress = /^#step-(\d+)$/.exec(location.hash);
  if (fromAddress) state.chosen = Math.min(Number(fromAddress[1]), steps.length - 1);
  const missing = data.files.filter((file) => !file.found).length;
  get('foot').textContent = missing === 0 ? ''
    : `${missing} of ${data.files.length} source files were not found when this page was made.`;
  draw();
  layOut();
  new ResizeObserver(layOut).observe(get('rows'));
})();
