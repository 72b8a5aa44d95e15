"use strict";
// The engine of the page: Flux's own code as WebAssembly, one module for each version of cel-go, in a
// worker that is stopped when it takes too long; the lives of kinds come from the catalogue.
const SECONDS = 10;
const read = async name => {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} cannot be read`);
  return answer.json();
};
const settings = read("choices.json");
let worker = null, module = "", turn = Promise.resolve();

const answered = (message, seconds) => new Promise((resolve, reject) => {
  const stop = error => { worker.terminate(); worker = null; reject(error); };
  const timer = setTimeout(() => stop(new Error(`this takes more than ${seconds} seconds`)), seconds * 1000);
  worker.onmessage = ({data}) => { clearTimeout(timer); resolve(data); };
  worker.onerror = () => { clearTimeout(timer); stop(new Error("Flux's code ended, perhaps for lack of memory")); };
  worker.postMessage(message);
});

// The answers of a version of Flux to vectors, as in tests/conformance; one list after the other.
const ask = (vectors, wanted) => {
  const work = async () => {
    if (!worker || module !== wanted) {
      worker?.terminate();
      worker = new Worker("worker.js");
      module = wanted;
      await answered({module}, 120);
    }
    return answered({vectors}, SECONDS);
  };
  return turn = turn.then(work, work);
};

const facts = async text => {
  const {kinds} = await settings;
  if (!text.trim()) throw new Error("name a kind");
  const [word, lower] = [text.trim(), text.trim().toLowerCase()];
  const named = kinds.filter(kind => kind.toLowerCase() === lower || kind.split(".")[0].toLowerCase() === lower);
  if (named.length > 1) throw new Error(`there are several: ${named.join(", ")}`);
  if (named.length) return read(`kinds/${named[0]}.json`);
  if (!/^[A-Z]\w*(\.[a-z0-9-]+)*$/.test(word)) throw new Error(`nothing is known about \`${word.slice(0, 100)}\``);
  return {kind: word, expressions: {}, life: [], test: null};
};

// What decides: a role that is true, or what is missing for one.
const cause = (answer, values) => {
  if (!answer.ok) return answer.error;
  const role = {InProgress: "inProgress", Failed: "failed", Current: "current"}[answer.result];
  if (values[role]?.result) return `\`${role}\` is true`;
  if (values.current) return values.current.ok ? "`current` is false" : values.current.error;
  return answer.message ?? "";
};

const object = (text, known) => {
  const [name, version] = [text?.kind ?? "", text?.apiVersion ?? ""];
  const group = version.includes("/") ? version.split("/")[0] : "";
  if ((group ? `${name}.${group}` : name) !== known.kind) throw new Error("the object is of another kind than the expressions");
  return text;
};

const wrong = (state, verdict) => {
  const right = [state.verdict, ...state.variants];
  return !right.includes(verdict) && !(["InProgress", "Unknown"].includes(verdict) && state.verdict === "InProgress");
};

const finding = (severity, message, help) => ({rule: "", severity, message, help});

const test = (known, expressions, typed, verdict) => {
  const [waiter, cases] = structuredClone(known.test);
  const entry = {apiVersion: cases.cases[0].object.apiVersion, kind: cases.cases[0].object.kind, ...expressions};
  waiter.spec.healthCheckExprs = [entry];
  if (verdict) cases.cases.push({name: "this object", object: typed, expect: verdict});
  return [waiter, cases];
};

const engine = {
  choices: () => settings,

  suggestion: async kind => {
    const known = await facts(kind);
    if (!known.life.length) throw new Error(`nothing is known about \`${known.kind}\`; type expressions of your own`);
    return known;
  },

  trial: async trial => {
    const {looks, versions} = await settings;
    const known = await facts(trial.kind);
    const {module: wanted} = versions.find(each => each.version === trial.target) ?? versions[0];
    const {expressions} = trial, roles = Object.keys(expressions);
    const vectors = list => ask(list, wanted);
    const refusals = await vectors(roles.map(role => ({mode: "parse", expr: expressions[role]})));
    const word = answer => entry.ok ? answer.result ?? "Unknown" : "Stalled";
    const look = verdict => looks[verdict] ?? "wait";

    let verdict = null, problem = "", typed = null;
    if (trial.object.trim()) {
      try {
        const [read] = await vectors([{mode: "yaml", expr: trial.object}]);
        if (!read.ok) throw new Error(read.error);
        typed = object(read.result, known);
      } catch (error) {
        problem = error.message;
      }
    }
    // Without an expression, kstatus decides.
    const objects = [...known.life.map(state => state.value), ...(typed ? [typed] : [])];
    const [entry] = roles.length ? await vectors([{mode: "entry", exprs: expressions, object: {objects}}])
      : [{ok: true, result: await vectors(objects.map(each => ({mode: "kstatus", object: each})))}];
    const answers = entry.result ?? [];
    if (typed) {
      const answer = answers[known.life.length] ?? entry;
      const parts = await vectors(roles.flatMap(role => ["eval", "trace"].map(mode => ({mode, expr: expressions[role], object: typed}))));
      const values = Object.fromEntries(roles.map((role, index) => [role, parts[2 * index]]));
      verdict = {
        status: word(answer), look: look(word(answer)), because: cause(answer, values),
        expressions: roles.map((role, index) => ({
          role, refused: refusals[index].error ?? "", trace: refusals[index].ok ? parts[2 * index + 1].result : "",
          value: String(values[role].ok ? values[role].result : values[role].error),
        })),
      };
    }
    const states = answers.slice(0, known.life.length).map((answer, index) => {
      const state = known.life[index], isWrong = wrong(state, word(answer));
      return {
        name: `${state.name} (${state.stage})`, life: true, object: state.object, isWrong,
        verdict: isWrong ? `${word(answer)}, not ${state.verdict}` : word(answer),
        look: look(word(answer)) + (isWrong ? " wrong" : ""),
      };
    });
    const mistakes = states.filter(state => state.isWrong);
    const help = known.needed ? "Take the suggested entry." : "";
    const findings = [
      ...(!entry.ok ? [finding("error", entry.error, "")] : []),
      ...mistakes.map(state => finding("warning", `\`${state.name}\` is ${state.verdict}`, help)),
    ];
    const [waiter, cases] = known.test && roles.length ? await vectors(
      test(known, expressions, typed, verdict?.status).map(document => ({mode: "document", object: document}))) : [];
    return {
      kind: known.kind, known: known.life.length > 0, verdict, problem, states, findings,
      fixed: findings.length && known.needed ? {...Object.fromEntries(roles.map(role => [role, ""])), ...known.expressions} : {},
      test: waiter ? `${waiter.result}---\n${cases.result}` : "",
    };
  },
};
