/**
 * Reads the prompt from the command line, files and standard input. Standard input comes last: a
 * mistake elsewhere is reported without waiting for it.
 */
import {resolve} from 'node:path';
import type {Notice} from '../chat/event.ts';
import {hasContent, joinPrompt, type Prompt} from '../chat/prompt.ts';
import type {InputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {detectMedia} from '../media-type.ts';
import {plural} from '../wording.ts';
import {joinLoaded} from './join-loaded.ts';
import {loadFiles} from './load-files.ts';
import {type Accepted, type LoadedAttachments, loadMedia, mediaFromBytes} from './load-media.ts';
import {decodeText} from './load-text.ts';
import type {TreeSource} from './load-tree.ts';
import {readStdin} from './read-bytes.ts';

export type PromptRequest = TreeSource & {
	/** The words of the prompt, to be joined by spaces. */
	readonly words: readonly string[];
	/** Paths, with or without lines, folders and patterns. */
	readonly files: readonly string[];
	/** Paths and URLs of images; `-`, at most once here and in `media`, is standard input. */
	readonly images: readonly string[];
	/** The same for images, PDFs and recordings. */
	readonly media: readonly string[];
	readonly input: InputStream;
	/** Loaded already; they come first. */
	readonly attached?: readonly LoadedAttachments[] | undefined;
	/** Makes the text of piped text and attachments. By default, piped text and the words are joined. */
	readonly compose?:
		| ((piped: string, hasAttachments: boolean) => Pick<Prompt, 'text' | 'folds'>)
		| undefined;
	/** False: standard input is left alone. */
	readonly isStdinWanted: boolean;
	/** Whether the prompt is read from the terminal, to its end of file. Default false. */
	readonly isTerminalPrompt?: boolean | undefined;
	/** Whether files and images alone are refused. Default false. */
	readonly isTextRequired?: boolean;
	readonly signal: AbortSignal;
	/** Called when piped input is slow to come, at most once. */
	readonly onWaitingForStdin?: (() => void) | undefined;
};

export type LoadedPrompt = Prompt & {readonly notices: readonly Notice[]};

/**
 * @throws {ChatError} `usage` without a prompt where there must be one; else as
 * `loadFiles`, `loadMedia`, `readStdin` and `decodeText` do. When `signal` aborts, its reason.
 */
export async function loadPrompt(request: PromptRequest): Promise<LoadedPrompt> {
	const {images, media, attached = [], cwd} = request;
	const files = [...new Map(request.files.map((path) => [resolve(cwd, path), path])).values()];
	const loaders = [
		...files.map((path) => () => loadFiles(path, request)),
		...images.map((source) => () => loadNamed(source, 'image', request)),
		...media.map((source) => () => loadNamed(source, 'media', request)),
	];
	// Sequential, to report the first mistake.
	const named: Array<LoadedAttachments | undefined> = [];
	for (const load of loaders) named.push(await load());
	const stdin = await loadStdin(request);
	// A file that is piped in without being named comes last.
	const isNamed = named.includes(undefined);
	const given = (isNamed ? named : [...named, stdin]).map((item) => item ?? stdin);
	const {attachments, notices} = joinLoaded([...attached, ...given], stdin.text);
	const hasAttachments = attachments.length > 0;
	const {text, folds} =
		request.compose?.(joinPrompt(stdin.text, ''), hasAttachments) ??
		joinInput(stdin.text, request.words.join(' '));
	if (request.isTextRequired === true && text === '') throw missingPrompt(hasAttachments);
	return {text, folds, attachments, notices: [...findTwice(request.files, cwd), ...notices]};
}

function findTwice(files: readonly string[], cwd: string): readonly Notice[] {
	const paths = files.map((path) => resolve(cwd, path));
	const repeated = files.filter((_, place) => paths.indexOf(paths[place] ?? '') < place);
	return [...new Set(repeated)].map((path) => ({
		code: 'file-twice',
		message: `${path} is given more than once, and sent once`,
	}));
}

/** Joins the texts; piped text is a fold if written text follows it. */
function joinInput(piped: string, written: string): Pick<Prompt, 'text' | 'folds'> {
	const text = joinPrompt(piped, written);
	const {length: to} = joinPrompt(piped, '');
	if (to === 0 || to === text.length) return {text};
	const label = `[Piped ${plural(countLines(text, to), 'line')}]`;
	return {text, folds: [{from: 0, to, label}]};
}

function countLines(text: string, to: number): number {
	let count = 1;
	for (let end = text.indexOf('\n'); end !== -1 && end < to; end = text.indexOf('\n', end + 1)) {
		count += 1;
	}
	return count;
}

/** Returns undefined for standard input, which is read last. */
async function loadNamed(
	source: string,
	accepted: Accepted,
	request: PromptRequest,
): Promise<LoadedAttachments | undefined> {
	return source === '-' ? undefined : await loadMedia(source, accepted, request);
}

function missingPrompt(hasFiles: boolean): ChatError {
	const problem = hasFiles ? 'there are files, but no prompt' : 'there is no prompt';
	return new ChatError('usage', problem, {
		hint: 'Give one: chat "your question", or pipe text into chat.',
	});
}

type LoadedStdin = LoadedAttachments & {readonly text: string};

async function loadStdin(request: PromptRequest): Promise<LoadedStdin> {
	const {images, media} = request;
	const bytes = await readWantedStdin(request);
	if (bytes === undefined) return {text: '', attachments: [], notices: []};
	const isNamed = [...images, ...media].includes('-');
	if (isNamed || detectMedia(bytes) !== undefined) {
		const accepted = images.includes('-') ? 'image' : 'media';
		return {text: '', ...mediaFromBytes(bytes, 'stdin', accepted)};
	}
	const {text, notices} = decodeText(bytes, 'stdin');
	if (hasContent(text) || request.input.kind === 'terminal') {
		return {text, attachments: [], notices};
	}
	const empty: Notice = {code: 'empty-stdin', message: 'nothing was piped in'};
	return {text: '', attachments: [], notices: [empty]};
}

async function readWantedStdin(request: PromptRequest): Promise<Uint8Array | undefined> {
	const {input, isStdinWanted, isTerminalPrompt = false, signal, onWaitingForStdin} = request;
	if (input.kind === 'data' && isStdinWanted) {
		return await readStdin(input, {signal, onWaiting: onWaitingForStdin});
	}
	if (input.kind === 'terminal' && isTerminalPrompt) return await readStdin(input, {signal});
	return undefined;
}
