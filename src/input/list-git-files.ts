/** Asks Git which files of a folder it does not ignore, so that every rule of the user counts. */
import {existsSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {Environment, Variables} from '../environment.ts';
import {findProgram} from '../processes/find-program.ts';
import {createWholeBuffer} from '../processes/output-buffer.ts';
import {type ProcessEnd, runProcess} from '../processes/run-process.ts';
import {withoutKeys} from '../redact.ts';
import {mebibyte} from '../wording.ts';

/** The variables and the control of processes that a program needs. */
export type GitEnvironment = Pick<Environment, 'variables' | 'processes'>;

export type GitFiles =
	/** Relative to the folder, normalised, with slashes; folders end in one, submodules may not. */
	| {
			readonly type: 'files';
			readonly names: ReadonlySet<string>;
			/** Rules that Git could not read. */
			readonly warning: string | undefined;
	  }
	/** Git gave no answer, for this reason. */
	| {readonly type: 'unknown'; readonly reason: string};

const maxOutputBytes = 64 * mebibyte;

/**
 * Threat: a repository of somebody else, whose settings name programs to run. Even a list of files
 * starts a file system monitor, or fetches a `.gitignore` that is missing with any program.
 */
const safeArgv = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const safeVariables = {
	GIT_ALLOW_PROTOCOL: 'none',
	GIT_NO_LAZY_FETCH: '1',
	GIT_OPTIONAL_LOCKS: '0',
	GIT_TERMINAL_PROMPT: '0',
	LC_ALL: 'C',
};

/**
 * Lists the files below a folder that are tracked, or new and not ignored. A folder that is ignored
 * itself was named on purpose, so only the rules in it count, and those of the user.
 *
 * @param root the repository whose work tree the folder is in
 */
export async function listGitFiles(
	folder: string,
	root: string,
	{variables, processes}: GitEnvironment,
	limits: {readonly timeLimitMs: number; readonly signal: AbortSignal | undefined},
): Promise<GitFiles> {
	const program = findProgram('git', variables['PATH']);
	if (program === undefined) return {type: 'unknown', reason: 'git is not in PATH'};
	const {timeLimitMs, signal = new AbortController().signal} = limits;
	const run = async (argv: readonly string[], place: Variables = {}) => {
		const end = await runProcess({
			argv: [program, ...safeArgv, ...argv],
			cwd: folder,
			variables: {...keepVariables(variables), ...safeVariables, ...place},
			stdin: '',
			timeLimitMs,
			signal,
			processes,
			stdout: createWholeBuffer(),
			maxOutputBytes,
		});
		signal.throwIfAborted();
		return end;
	};
	const list = async (place?: Variables): Promise<GitFiles> => {
		const end = await run(['ls-files', '--cached', '--others', '--exclude-standard', '-z'], place);
		const problem = describeProblem(end, timeLimitMs);
		if (end.exitCode !== 0) return {type: 'unknown', reason: problem ?? 'git failed'};
		const names = withFolders(end.stdout.toText().split('\0').slice(0, -1));
		return {type: 'files', names, warning: problem};
	};
	try {
		const listed = await list();
		if (listed.type === 'unknown' || listed.names.size > 0) return listed;
		const isIgnored = (await run(['check-ignore', '--quiet', '.'])).exitCode === 0;
		// Rules above the root of a work tree do not count.
		return isIgnored ? await list({GIT_DIR: join(root, '.git'), GIT_WORK_TREE: folder}) : listed;
	} catch (error) {
		signal.throwIfAborted();
		const {code = 'unknown error'} = error as NodeJS.ErrnoException;
		return {type: 'unknown', reason: `git cannot be started: ${code}`};
	}
}

/** Returns the repository whose work tree a folder is in. A link is where it leads. */
export function findRepository(folder: string): string | undefined {
	let current = realpathSync(folder);
	while (!existsSync(join(current, '.git'))) {
		const parent = dirname(current);
		if (parent === current) return undefined;
		current = parent;
	}
	return current;
}

/** A hook of Git runs with variables that name another repository than that of the folder. */
function keepVariables(variables: Variables): Readonly<Record<string, string>> {
	const entries = Object.entries(withoutKeys(variables));
	return Object.fromEntries(
		entries.filter(([name]) => !name.startsWith('GIT_') || name.startsWith('GIT_CONFIG_')),
	);
}

function describeProblem({stoppedBy, stderr}: ProcessEnd, timeLimitMs: number): string | undefined {
	if (stoppedBy === 'time') return `git took more than ${timeLimitMs / 1000} s`;
	if (stoppedBy === 'flood') return 'git lists too many files';
	// The walk itself finds these, if it needs them.
	const lines = stderr
		.toText()
		.split('\n')
		.filter((line) => !/could not open directory/.test(line));
	const [words = ''] = lines.map((line) => line.replace(/^(?:fatal|error|warning): /, ''));
	return words === '' ? undefined : `git: ${words}`;
}

function withFolders(names: readonly string[]): ReadonlySet<string> {
	const all = new Set<string>();
	for (const name of names.map(normalizeName)) {
		for (let end = name.indexOf('/'); end !== -1; end = name.indexOf('/', end + 1)) {
			all.add(name.slice(0, end + 1));
		}
		all.add(name);
	}
	return all;
}

/** Git and macOS's file system may write one accent in two ways. */
export function normalizeName(name: string): string {
	return name.normalize('NFC');
}
