"use strict";
// Runs Flux's code, beside the page: first the name of a module, then lists of vectors.
importScripts("wasm_exec.js");
onmessage = async ({data}) => {
  if (data.module) {
    const packed = await fetch(data.module);
    if (!packed.ok) throw new Error(`${data.module}: ${packed.status}`);
    const code = await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const go = new Go();
    const {instance} = await WebAssembly.instantiate(code, go.importObject);
    go.run(instance);
    postMessage([]);
  } else {
    postMessage(data.vectors.map(vector => JSON.parse(flux(JSON.stringify(vector)))));
  }
};
