/** Reads files for the REPL: from commands, mentions, and drops onto the terminal. */
import {existsSync, statSync} from 'node:fs';
import {isAbsolute, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Environment} from '../../../environment.ts';
import {joinLoaded} from '../../../input/join-loaded.ts';
import {withoutLines, withoutPunctuation} from '../../../input/line-range.ts';
import {loadFiles} from '../../../input/load-files.ts';
import {type LoadedAttachments, loadClipboard, loadMedia} from '../../../input/load-media.ts';
import type {Loaded, LoadedMention, ReplServices} from '../../../repl/services.ts';
import {splitShellWords} from '../shell-words.ts';
import type {Run} from '../turn-runner.ts';

type Loaders = Pick<ReplServices, 'load' | 'loadClipboard' | 'loadDropped' | 'loadMentions'>;

export function createLoaders(run: Run, environment: Environment): Loaders {
	const {cwd, platform} = environment;
	return {
		async load(kind, written) {
			const path = readPath(written, environment);
			return kind === 'image'
				? withSizes([
						await loadMedia(path, kind, {cwd, isPipeAllowed: false, desktop: environment}),
					])
				: await loadAll([path], environment);
		},
		async loadClipboard() {
			const loaded = await loadClipboard(environment);
			return 'text' in loaded ? loaded : withSizes([loaded]);
		},
		async loadDropped(text) {
			const written = text.trim();
			// Some terminals insert a path unquoted.
			const words = isFile(written) ? [written] : splitWords(written, platform).map(readUrl);
			const paths = words.map((word) => expandHome(word, environment));
			const areFiles = paths.length > 0 && paths.every(isFile);
			return areFiles ? await loadAll(paths, environment) : undefined;
		},
		async loadMentions(mentions) {
			const loaded: LoadedMention[] = [];
			for (const mention of mentions) {
				const path = findMentioned(mention, environment);
				const read =
					path === undefined
						? await readResource(mention, run)
						: await loadAll([path], environment);
				if (read !== undefined) loaded.push({mention, ...read});
			}
			return loaded;
		},
	};
}

async function readResource(written: string, run: Run): Promise<Loaded | undefined> {
	if (run.servers === undefined) return undefined;
	const {readMentioned} = await import('./server-calls.ts');
	return await readMentioned(written, run);
}

function isFile(path: string): boolean {
	return isAbsolute(path) && statSync(path, {throwIfNoEntry: false})?.isFile() === true;
}

function readUrl(word: string): string {
	return word.startsWith('file://') ? fileURLToPath(word) : word;
}

/** @throws {ChatError} if one cannot be sent */
async function loadAll(paths: readonly string[], environment: Environment): Promise<Loaded> {
	const loaded: LoadedAttachments[] = [];
	// A pipe without a writer would block the REPL for good.
	const source = {cwd: environment.cwd, isPipeAllowed: false, git: environment};
	for (const path of paths) loaded.push(await loadFiles(path, source));
	return withSizes(loaded);
}

function withSizes(loaded: readonly LoadedAttachments[]): Loaded {
	const {attachments, notices} = joinLoaded(loaded);
	return {attachments, notices: notices.map(({message}) => message)};
}

/** Returns an existing path with its lines; undefined for other text. */
function findMentioned(written: string, environment: Environment): string | undefined {
	const texts = [written, withoutPunctuation(written)];
	return texts
		.filter((text) => /[\p{L}\p{N}]/u.test(text))
		.map((text) => expandHome(text, environment))
		.find((path) => existsSync(resolve(environment.cwd, withoutLines(path))));
}

/** Reads a path as written by a shell or a file manager: quoted, escaped, or with `~/`. */
export function readPath(text: string, environment: Environment): string {
	const [word = text, ...more] = splitWords(text, environment.platform);
	return expandHome(more.length > 0 ? text : word, environment);
}

export function expandHome(path: string, {homedir}: Environment): string {
	return homedir !== undefined && path.startsWith('~/') ? `${homedir}${path.slice(1)}` : path;
}

/** Returns no words for a text with an unclosed quote, such as a path with an apostrophe. */
function splitWords(text: string, platform: string): readonly string[] {
	return splitShellWords(text, platform) ?? [];
}
