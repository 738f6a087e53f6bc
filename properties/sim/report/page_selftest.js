// Put into a page by html_browser_test.cpp: uses it as a person would and writes what it saw into
// the attribute data-selftest of <body>. `problems` is filled by the script before the page's own.
(() => {
  const problems = window.selftestProblems;
  const get = (id) => document.getElementById(id);
  const expect = (condition, what) => { if (!condition) problems.push(what); };
  const key = (name) => document.body.dispatchEvent(
    new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
  const chosen = () => [...document.querySelectorAll('.row.chosen')];
  const step = () => chosen().length === 1 ? Number(chosen()[0].dataset.step) : -1;
  const numbers = (text) => text.match(/-?\d+(\.\d+)?/g).map(Number);

  function luminance(colour) {
    const [r, g, b] = numbers(colour).map((part) => {
      const share = part / 255;
      return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4;
    });
    return .2126 * r + .7152 * g + .0722 * b;
  }
  function contrast(element, background) {
    const a = luminance(getComputedStyle(element).color);
    const b = luminance(getComputedStyle(background).backgroundColor);
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  }

  function check() {
    expect(document.title.length > 0, 'no title');
    expect(get('title').textContent.length > 0, 'no headline');
    expect(document.querySelectorAll('img, iframe, object, embed, link').length === 0,
      'an element that the template does not have');
    expect(typeof window.hacked === 'undefined', 'a script of the trace has run');
    for (const button of document.querySelectorAll('button, input')) {
      const name = button.getAttribute('aria-label') || button.textContent ||
        (button.closest('label') && button.closest('label').textContent);
      expect(Boolean(name && name.trim()), `a control without a name: ${button.outerHTML}`);
    }
    const room = document.documentElement;
    expect(room.scrollWidth <= window.innerWidth,
      `wider than the window: ${room.scrollWidth} of ${window.innerWidth}`);
    expect(contrast(document.body, document.body) >= 7, 'the text is hard to read');
    const data = JSON.parse(get('trace').textContent);
    if (data.steps.length === 0) return 0;

    const options = document.querySelectorAll('.row[role=option]').length;
    expect(options > 0, 'no rows');
    key('Home');
    let seen = 1;
    let last = step();
    expect(last >= 0, 'Home chooses no step');
    for (; seen <= data.steps.length; ++seen) {
      const heading = get('now').querySelector('h2').textContent;
      expect(heading.startsWith(`Step ${last} `), `the detail of step ${last} says ${heading}`);
      expect(chosen()[0].getAttribute('aria-selected') === 'true', 'not announced');
      const isStale = data.stale.some((one) => one.read === last);
      expect(get('stale').hidden === !isStale, `step ${last} and why it is stale`);
      key(seen % 2 ? 'j' : 'ArrowDown');
      if (step() === last) break;
      expect(step() > last, `from step ${last} to ${step()}`);
      last = step();
    }
    expect(seen === options, `${seen} steps with the keyboard, ${options} rows`);
    expect(get('forward').disabled, 'there is a step after the last');
    key('k');
    expect(options === 1 || step() < last, 'k does not go back');
    get('last').click();
    expect(step() === last, 'the button does not go to the end');
    get('back').click();
    get('first').click();
    expect(get('back').disabled, 'there is a step before the first');
    get('slider').value = get('slider').max;
    get('slider').dispatchEvent(new Event('input'));
    expect(step() === last, 'the slider does not go to the end');
    if (data.stale.length > 0) {
      key('n');
      expect(data.stale.some((one) => one.read === step()), 'n finds no old value');
      const text = get('stale').textContent;
      expect(text.includes('What would forbid it') && text.includes('x86'), 'no explanation');
    }
    const link = document.querySelector('.story .step-link');
    if (link) {
      link.click();
      expect(step() === Number(link.dataset.step), 'a step in the story leads nowhere');
    }
    // The story's link may have opened what was folded, and the chosen step stays in sight.
    for (const id of ['fold', 'only', 'arrows']) if (!get(id).checked) get(id).click();
    const rows = () => document.querySelectorAll('.row[role=option]').length;
    const counts = [];
    for (let round = 0; round < 2; ++round) {
      for (const id of ['fold', 'only', 'arrows']) {
        get(id).click();
        expect(chosen().length === 1, `${id}: the chosen step is gone`);
      }
      expect(rows() === data.steps.length, 'not every step is there without folding');
      for (const id of ['fold', 'only', 'arrows']) get(id).click();
      expect(chosen().length === 1, 'the chosen step is folded away');
      counts.push(rows());
    }
    expect(counts[0] === counts[1] && counts[0] <= data.steps.length, 'folded otherwise');
    const across = data.steps.filter((one) => one.source !== undefined &&
      data.steps[one.source].thread !== one.thread).length;
    const drawn = [...document.querySelectorAll('path[data-link]')];
    expect(across === 0 || drawn.length > 0, 'no arrows');
    expect(drawn.every((path) => !/NaN|undefined/.test(path.getAttribute('d'))), 'a broken arrow');
    return seen;
  }

  let seen = 0;
  try {
    seen = check();
  } catch (error) {
    problems.push(`the self-test stopped: ${error.stack || error}`);
  }
  const body = document.body;
  body.dataset.steps = seen;
  body.dataset.dark = luminance(getComputedStyle(body).backgroundColor) < .2;
  body.dataset.lanes = body.classList.contains('lanes');
  body.dataset.selftest = problems.length === 0 ? 'passed' : problems.slice(0, 5).join(' | ');
})();
