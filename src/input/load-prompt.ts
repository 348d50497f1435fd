/**
 * Reads the prompt from the command line, files and standard input. Standard input comes last: a
 * mistake elsewhere is reported without waiting for it.
 */
import type {Notice} from '../chat/event.ts';
import type {ImagePart} from '../chat/message.ts';
import {type Attachment, hasContent, joinPrompt, type Prompt} from '../chat/prompt.ts';
import type {InputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {detectImage} from '../image-type.ts';
import {decodeText} from './decode-text.ts';
import {loadTextFile} from './load-file.ts';
import {imageFromBytes, type LoadedImage, loadImage} from './load-image.ts';
import {readStdin} from './read-bytes.ts';

export type PromptRequest = {
	/** The words of the prompt, to be joined by spaces. */
	readonly words: readonly string[];
	readonly files: readonly string[];
	/** Paths and URLs of images; `-`, at most once, is standard input. */
	readonly images: readonly string[];
	readonly input: InputStream;
	/** False: standard input is left alone. */
	readonly isStdinWanted: boolean;
	/** Whether the prompt is read from the terminal, to its end of file. Default false. */
	readonly isTerminalPrompt?: boolean | undefined;
	/** Whether files and images alone are refused. Default false. */
	readonly isTextRequired?: boolean;
	/** The folder that relative paths start from, absolute. */
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** Called with the path of a file that is slow to come, at most once for each. */
	readonly onWaiting?: ((path: string) => void) | undefined;
	/** Called when piped input is slow to come, at most once. */
	readonly onWaitingForStdin?: (() => void) | undefined;
};

type NamedImage = {readonly name: string; readonly part: ImagePart};

export type LoadedPrompt = Prompt & {readonly notices: readonly Notice[]};

/**
 * @throws {ChatError} `usage` without a prompt where there must be one; else as
 * `loadTextFile`, `loadImage`, `readStdin` and `decodeText` do. When `signal` aborts, its reason.
 */
export async function loadPrompt(request: PromptRequest): Promise<LoadedPrompt> {
	const files = await loadInOrder(request.files, (path) => loadTextFile(path, request));
	const named = await loadInOrder(request.images, async (source) =>
		source === '-' ? undefined : {name: source, ...(await loadImage(source, request))},
	);
	const stdin = await loadStdin(request);
	// An image that is piped in without being named comes last.
	const images = (request.images.includes('-') ? named : [...named, undefined])
		.map((image) => image ?? stdin.image)
		.filter((image) => image !== undefined);
	const text = joinPrompt(stdin.text, request.words.join(' '));
	if (request.isTextRequired === true && text === '') {
		throw missingPrompt(files.length + images.length > 0);
	}
	return {
		text,
		attachments: [
			...files.map(({name, text: content}): Attachment => ({type: 'file', name, text: content})),
			...images.map(({name, part}): Attachment => ({type: 'image', name, part})),
		],
		notices: [...files, ...images, stdin].flatMap(({notices}) => notices),
	};
}

function missingPrompt(hasFiles: boolean): ChatError {
	const problem = hasFiles ? 'there are files, but no prompt' : 'there is no prompt';
	return new ChatError('usage', problem, {hint: {code: 'give-prompt'}});
}

/** One after the other, so that the first mistake is the one that is reported. */
async function loadInOrder<Loaded>(
	sources: readonly string[],
	load: (source: string) => Promise<Loaded>,
): Promise<readonly Loaded[]> {
	const loaded: Loaded[] = [];
	for (const source of sources) loaded.push(await load(source));
	return loaded;
}

type LoadedStdin = {
	readonly text: string;
	readonly image?: (LoadedImage & NamedImage) | undefined;
	readonly notices: readonly Notice[];
};

async function loadStdin(request: PromptRequest): Promise<LoadedStdin> {
	const bytes = await readWantedStdin(request);
	if (bytes === undefined) return {text: '', notices: []};
	if (request.images.includes('-') || detectImage(bytes) !== undefined) {
		return {text: '', image: {name: 'stdin', ...imageFromBytes(bytes, 'stdin')}, notices: []};
	}
	const decoded = decodeText(bytes, 'stdin');
	if (hasContent(decoded.text) || request.input.kind === 'terminal') return decoded;
	return {text: '', notices: [{code: 'empty-stdin', message: 'nothing was piped in'}]};
}

async function readWantedStdin(request: PromptRequest): Promise<Uint8Array | undefined> {
	const {input, isStdinWanted, isTerminalPrompt = false, signal, onWaitingForStdin} = request;
	if (input.kind === 'data' && isStdinWanted) {
		return await readStdin(input, {signal, onWaiting: onWaitingForStdin});
	}
	if (input.kind === 'terminal' && isTerminalPrompt) return await readStdin(input, {signal});
	return undefined;
}
