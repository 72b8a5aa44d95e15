"use strict";
// The engine of the page: `celvet playground` answers.
const ask = async (path, body) => {
  const request = body && {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, request || {});
  } catch {
    throw new Error("celvet playground does not answer; start it again");
  }
  const document = await response.json();
  if (!response.ok) throw new Error(document.error);
  return document;
};

const engine = {
  choices: () => ask("choices"),
  suggestion: kind => ask(`suggestion?kind=${encodeURIComponent(kind)}`),
  trial: trial => ask("trial", trial),
};
