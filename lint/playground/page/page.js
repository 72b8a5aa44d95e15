"use strict";
// The page of `celvet playground`. All that is typed is in the fragment of its address, which
// browsers do not send; texts become text nodes, never markup. `engine`, of engine.js, answers.
const part = id => document.getElementById(id);
const fields = () => ["kind", "target", "object"].map(part);
let roles = [], answer = null, number = 0, timer = 0, shown = "";

const element = (name, content = "", attributes = {}) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...[content].flat());
  return node;
};

// What is typed, without fields that are empty.
const typed = () => {
  const [kind, target, object] = fields().map(field => field.value);
  const texts = roles.map(role => [role, part(`role-${role}`).value]);
  return {kind, target, object, expressions: Object.fromEntries(texts.filter(([, text]) => text.trim()))};
};

const fill = trial => {
  part("kind").value = trial.kind ?? part("kind").value;
  part("object").value = trial.object ?? "";
  if ([...part("target").options].some(option => option.value === trial.target)) part("target").value = trial.target;
  for (const role of roles) part(`role-${role}`).value = trial.expressions?.[role] ?? "";
};

const encode = trial => {
  const bytes = new TextEncoder().encode(JSON.stringify(trial));
  const text = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const decode = fragment => {
  try {
    const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, char => char.charCodeAt(0))));
  } catch {
    return null;
  }
};

// A message, with what is between backquotes as code.
const prose = text => text.split("`").map((words, index) => index % 2 ? element("code", words) : words);

const verdict = (text, look) => element("span", text, {class: `verdict ${look}`});

const showVerdict = found => {
  if (!found) {
    return [element("p", answer.problem || "Type an object, or choose a state below.", {class: "place"})];
  }
  const rows = found.expressions.map(each => {
    const value = each.refused ? `refused: ${each.refused}` : each.value;
    const line = element("p", [element("strong", each.role), ` ${value}`]);
    if (!each.trace) return [line];
    const trace = element("pre", each.trace, {tabindex: "0", "aria-label": `trace of ${each.role}`});
    return [line, element("details", [element("summary", "How it comes about"), trace])];
  });
  return [element("p", [verdict(found.status, found.look)]), element("p", prose(found.because)), ...rows.flat()];
};

const showState = state => {
  const words = [element("span", state.name), verdict(state.verdict, state.look)];
  const pressed = String(part("object").value === state.object);
  const button = element("button", words, {type: "button", "aria-pressed": pressed});
  button.addEventListener("click", () => {
    part("object").value = state.object;
    for (const other of document.querySelectorAll(".life button")) other.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", "true");
    run();
  });
  return element("li", button);
};

const showFinding = finding => element("li", [
  element("strong", finding.severity), " ", ...prose(finding.message), finding.rule && ` [${finding.rule}]`, element("div", prose(finding.help)),
], {class: finding.severity});

// The states keep their buttons, and with them the keyboard focus, while only the object changes.
const show = trial => {
  const own = JSON.stringify({...trial, object: ""});
  part("verdict").replaceChildren(...showVerdict(answer.verdict));
  if (own !== shown) {
    shown = own;
    const [life, others] = [true, false].map(kind => answer.states.filter(state => state.life === kind));
    const first = life.length ? life : others;
    part("life").replaceChildren(...first.map(showState));
    part("states").replaceChildren(...(life.length ? others.map(showState) : []));
    part("others").hidden = !(life.length && others.length);
    part("life-title").textContent = answer.known || !first.length ? "Life of the kind" : "States of an object";
  }
  const none = Object.keys(typed().expressions).length ? "Nothing is wrong." : "There is no expression yet.";
  const findings = answer.findings.map(showFinding);
  part("findings").replaceChildren(...(findings.length ? findings : [element("li", none)]));
  part("fix").hidden = !Object.keys(answer.fixed).length;
};

const fail = error => { part("problem").textContent = error.message; };

const run = async () => {
  const trial = typed(), own = ++number;
  history.replaceState(null, "", `#${encode(trial)}`);
  part("answer").setAttribute("aria-busy", "true");
  try {
    const document = await engine.trial(trial);
    if (own !== number) return;
    answer = document;
    part("problem").textContent = "";
    show(trial);
  } catch (error) {
    if (own === number) fail(error);
  } finally {
    if (own === number) part("answer").removeAttribute("aria-busy");
  }
};

const suggest = async () => {
  try {
    const found = await engine.suggestion(part("kind").value);
    fill({...typed(), ...found, target: part("target").value});
    await run();
    if (!found.needed) part("problem").textContent = "The kind needs no expression: Flux judges it rightly by itself.";
  } catch (error) {
    fail(error);
  }
};

const copy = async (text, word) => {
  try {
    await navigator.clipboard.writeText(text);
    part("copied").textContent = `${word} copied`;
  } catch {
    part("copied").textContent = "the browser does not allow copying";
  }
};

const start = async () => {
  const choices = await engine.choices();
  part("kinds").replaceChildren(...choices.kinds.map(kind => element("option", "", {value: kind})));
  part("target-label").textContent = `Version of ${choices.target}`;
  part("target").replaceChildren(...choices.versions.map((each, index) =>
    element("option", `from ${each.version} (cel-go ${each.cel})`, {value: index ? each.version : ""})));
  roles = choices.roles.map(role => role.name);
  part("roles").replaceChildren(...choices.roles.flatMap(role => [
    element("label", `${role.name} (${role.verdict})`, {for: `role-${role.name}`}),
    element("textarea", "", {id: `role-${role.name}`, rows: "3", spellcheck: "false"}),
  ]));
  part("form").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(run, 300);
  });
  part("form").addEventListener("submit", event => event.preventDefault());
  part("suggest").addEventListener("click", suggest);
  part("fix").addEventListener("click", () => {
    fill({...typed(), expressions: {...typed().expressions, ...answer.fixed}});
    run();
  });
  part("share").addEventListener("click", () => copy(location.href, "Link"));
  part("test").addEventListener("click", () => copy(answer?.test ?? "", "Health test"));
  addEventListener("hashchange", () => open(location.hash));
  await open(location.hash);
};

const open = async fragment => {
  const trial = decode(fragment.slice(1));
  if (trial && encode(typed()) === fragment.slice(1)) return;
  if (trial) {
    fill(trial);
    await run();
  } else {
    part("kind").value = "Certificate.cert-manager.io";
    await suggest();
  }
};

start().catch(fail);
