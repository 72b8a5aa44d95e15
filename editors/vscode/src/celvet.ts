/** Finds the program celvet, and installs it when the user wants that. */

import { execFile } from "child_process";
import { constants } from "fs";
import { access } from "fs/promises";
import { homedir } from "os";
import { delimiter, dirname, join, resolve } from "path";
import { promisify } from "util";
import { ExtensionContext, extensions, ProgressLocation, window, workspace } from "vscode";

const run = promisify(execFile);
const SCRIPTS = process.platform === "win32" ? "Scripts" : "bin";
const SUFFIX = process.platform === "win32" ? ".exe" : "";

export interface Program {
  readonly path: string;
  readonly problem: string;
}

/** The first celvet that runs its language server; with the problem of the last that does not. */
export async function find(context: ExtensionContext): Promise<Program> {
  let problem = "celvet is not installed";
  for (const path of await candidates(context)) {
    const found = await problemOf(path);
    if (!found) return { path, problem: "" };
    if (found !== "missing") problem = `${path}: ${found}`;
  }
  return { path: "", problem };
}

async function candidates(context: ExtensionContext): Promise<string[]> {
  const folders = (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const setting = workspace.getConfiguration("celvet").get("path", "").replace(/^~(?=\/)/, homedir());
  if (setting) return [resolve(folders[0] ?? "", setting)];
  const trusted = workspace.isTrusted ? folders : [];
  const directories = [
    ...trusted.flatMap((folder) => [join(folder, ".venv", SCRIPTS), join(folder, "venv", SCRIPTS)]),
    ...(await besidePython()),
    ...(process.env.PATH ?? "").split(delimiter),
    join(homedir(), ".local", "bin"), // where uv and pipx install; PATH may lack it
    join(storage(context), SCRIPTS),
  ];
  return directories.filter(Boolean).map((directory) => join(directory, `celvet${SUFFIX}`));
}

async function besidePython(): Promise<string[]> {
  const python = extensions.getExtension("ms-python.python");
  if (!python || !workspace.isTrusted) return [];
  const api = await python.activate();
  const path: string | undefined = api?.environments?.getActiveEnvironmentPath()?.path;
  return path ? [dirname(path)] : [];
}

/** Why a program is no language server, empty if it is one. */
async function problemOf(path: string): Promise<string> {
  try {
    await access(path, constants.X_OK);
  } catch {
    return "missing";
  }
  try {
    // With nothing on standard input, the server ends at once: with 1, as the protocol says.
    const ended = run(path, ["lsp"], { timeout: 30_000 });
    ended.child.stdin?.end();
    await ended;
    return "";
  } catch (error) {
    const { code, stderr } = error as { code?: number; stderr?: string };
    return code === 1 ? "" : stderr?.trim().split("\n").pop() || String(error);
  }
}

function storage(context: ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, "venv");
}

/** Offers the ways to install celvet that there are; whether one has been taken. */
export async function offer(context: ExtensionContext, problem: string): Promise<boolean> {
  const spec = workspace.getConfiguration("celvet").get("package", "");
  const environment = storage(context);
  const python = join(environment, SCRIPTS, `python${SUFFIX}`);
  const ways: Record<string, string[][]> = {
    "uv tool install": [["uv", "tool", "install", "--force", spec]],
    "pipx install": [["pipx", "install", "--force", spec]],
    "pip, for this extension only": [
      [process.platform === "win32" ? "python" : "python3", "-m", "venv", environment],
      [python, "-m", "pip", "install", "--upgrade", spec],
    ],
  };
  const names: string[] = [];
  for (const [name, [[program]]] of Object.entries(ways)) {
    if (await works(program)) names.push(name);
  }
  const choice = await window.showWarningMessage(`${problem}. Install ${spec}?`, ...names);
  if (!choice) return false;
  try {
    await window.withProgress({ location: ProgressLocation.Notification, title: `celvet: ${choice}` }, async () => {
      for (const [program, ...args] of ways[choice]) await run(program, args, { timeout: 600_000 });
    });
    return true;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    void window.showErrorMessage(`celvet: ${choice} failed: ${stderr?.trim().split("\n").pop() || message}`);
    return false;
  }
}

async function works(program: string): Promise<boolean> {
  return run(program, ["--version"]).then(() => true, () => false);
}
