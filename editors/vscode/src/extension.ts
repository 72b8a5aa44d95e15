/** Starts the language server, and shows the answers that VS Code has no place for of its own. */

import { commands, env, EventEmitter, ExtensionContext, Uri, ViewColumn, window, workspace } from "vscode";
import { ExecuteCommandRequest, LanguageClient, LanguageClientOptions } from "vscode-languageclient/node";
import { find, offer } from "./celvet";

const OWN_SETTINGS = ["path", "package"];
const VERDICT = Uri.parse("celvet:verdict.txt");

let client: LanguageClient | undefined;
let starting = Promise.resolve();
let verdict = "";
const changed = new EventEmitter<Uri>();

export function activate(context: ExtensionContext): void {
  context.subscriptions.push(
    commands.registerCommand("celvet.restart", () => restart(context)),
    workspace.registerTextDocumentContentProvider("celvet", {
      onDidChange: changed.event,
      provideTextDocumentContent: () => verdict,
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (OWN_SETTINGS.some((name) => event.affectsConfiguration(`celvet.${name}`))) restart(context);
    }),
    workspace.onDidGrantWorkspaceTrust(() => restart(context)),
  );
  restart(context);
}

export function deactivate(): Thenable<void> | undefined {
  return client?.stop();
}

/** Starts anew, one after the other; activation does not wait for it. */
function restart(context: ExtensionContext): void {
  starting = starting.then(() => start(context)).catch((error) => void window.showErrorMessage(`celvet: ${error}`));
}

async function start(context: ExtensionContext): Promise<void> {
  await client?.dispose();
  client = undefined;
  const program = await find(context);
  if (program.path) {
    client = new LanguageClient("celvet", { command: program.path, args: ["lsp"] }, options());
    await client.start();
  } else {
    void offer(context, program.problem).then((installed) => installed && restart(context));
  }
}

function options(): LanguageClientOptions {
  return {
    documentSelector: [{ language: "yaml" }],
    middleware: {
      executeCommand: (command, args, next) => {
        const show = SHOWN[command];
        return show ? show(args.length ? args : atCursor(), next) : next(command, args);
      },
      workspace: {
        configuration: async (params, token, next) => {
          const sections = await next(params, token);
          return Array.isArray(sections) ? sections.map(forServer) : sections;
        },
      },
    },
  };
}

/** A section of the settings without what is about this extension alone. */
function forServer(section: unknown): unknown {
  if (!section || typeof section !== "object") return section;
  return Object.fromEntries(Object.entries(section).filter(([name]) => !OWN_SETTINGS.includes(name)));
}

type Next = (command: string, args: unknown[]) => unknown;

/** The commands that need more than the server can show. */
const SHOWN: Record<string, (place: unknown[], next: Next) => Promise<unknown>> = {
  "celvet.explain": async (place) => {
    const page = await ask<string>("celvet.page", place);
    if (!page) return;
    const panel = window.createWebviewPanel("celvet.explain", "celvet explain", ViewColumn.Beside, { enableFindWidget: true });
    panel.webview.html = page;
  },
  "celvet.try": async (place) => {
    const states = (await ask<[string, string][]>("celvet.states", place)) ?? [];
    if (!states.length) return;
    const items = [
      { label: "$(clippy) The object in the clipboard", text: undefined as string | undefined },
      ...states.map(([name, text]) => ({ label: name.replaceAll("`", ""), text })),
    ];
    const choice = await window.showQuickPick(items, { placeHolder: "Try the check on ..." });
    if (!choice) return;
    const text = choice.text ?? (await env.clipboard.readText());
    verdict = `${(await ask<string>("celvet.judge", [...place, text])) ?? ""}\n${text}`;
    changed.fire(VERDICT);
    await window.showTextDocument(VERDICT, { viewColumn: ViewColumn.Beside, preserveFocus: true });
  },
  "celvet.suggest": async (place, next) => {
    const kinds = (await ask<string[]>("celvet.kinds", [])) ?? [];
    const kind = await window.showQuickPick(kinds, { placeHolder: "The kind to insert an entry for" });
    return kind && next("celvet.suggest", [...place, kind]);
  },
};

async function ask<T>(command: string, args: unknown[]): Promise<T | null | undefined> {
  return client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
}

function atCursor(): unknown[] {
  const editor = window.activeTextEditor;
  if (!editor) return [];
  const { line, character } = editor.selection.active;
  return [editor.document.uri.toString(), line, character];
}
