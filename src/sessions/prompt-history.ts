/** Earlier sessions' prompts, for Up and Ctrl-R: those in saved conversations. */
import {type Fold, hasContent, type Prompt, type Typed} from '../chat/prompt.ts';
import {parseJsonObject} from '../json.ts';
import {readInput} from '../schedule-after-input.ts';
import {type HistoryPrompt, readOldHistory} from './old-history.ts';
import {readChunks, readEnd} from './read-lines.ts';
import {listSessionFiles} from './session-files.ts';
import {checkRecord, type RecordOf, type SessionRecord} from './session-record.ts';

/** How much is read from the newest sessions. */
const maxBytes = 8 * 1_048_576;
const maxSessionBytes = 1_048_576;

/** Longer texts stay in their session. */
const maxTextLength = 65_536;

/**
 * Returns the newest sessions' prompts, oldest first: other folders' before this folder's. One
 * starting with a space is left out, as in a shell.
 *
 * @param directory the folder holding saved conversations
 * @throws {ChatError} `input` if it cannot be read
 */
export async function readPromptHistory(
	directory: string,
	cwd: string,
): Promise<readonly Prompt[]> {
	const prompts = readOldHistory(directory);
	let bytes = 0;
	for (const {path} of listSessionFiles(directory)) {
		if (bytes > maxBytes) break;
		try {
			const end = readEnd(path, maxSessionBytes);
			prompts.push(...promptsIn(end, folderOf(path)));
			bytes += end.length;
		} catch {
			// Another run may delete it.
		}
		// Keys and signals are heard in between.
		await readInput();
	}
	const kept = prompts
		.filter(({text}) => hasContent(text) && !text.startsWith(' '))
		.filter(({text}) => text.length <= maxTextLength)
		.sort((one, other) => one.at - other.at);
	const isHere = (prompt: HistoryPrompt) => prompt.cwd === cwd;
	const elsewhere = kept.filter((prompt) => !isHere(prompt));
	return [...elsewhere, ...kept.filter(isHere)].map(({text, folds, signs}) => ({
		...{text, folds: checkFolds(folds, text)},
		...{attachments: [], signs},
	}));
}

const maxHeaderBytes = 65_536;

const promptStart = '{"type":"user","id":"';

function folderOf(path: string): string {
	const [start] = readChunks(path, maxHeaderBytes);
	const [header = ''] = start?.toString('utf8').split('\n', 1) ?? [];
	const record = recordOf(header);
	return record?.type === 'session' ? record.cwd : '';
}

/** Parses only a session's prompts. */
function promptsIn(bytes: Buffer, cwd: string): readonly HistoryPrompt[] {
	const prompts: HistoryPrompt[] = [];
	for (let at = bytes.indexOf(promptStart); at !== -1; ) {
		const end = bytes.indexOf('\n', at);
		const user = recordOf(bytes.toString('utf8', at, end === -1 ? bytes.length : end));
		if (user?.type === 'user') prompts.push({at: Date.parse(user.at), cwd, ...typedPrompt(user)});
		at = bytes.indexOf(promptStart, at + 1);
	}
	return prompts;
}

function recordOf(line: string): SessionRecord | undefined {
	const record = checkRecord(parseJsonObject(line) ?? {});
	return record === 'unknown' ? undefined : record;
}

/**
 * Returns the text as typed. Only a prompt typed here has signs: another one, for instance from an
 * imported session, must not attach files or call commands.
 */
export function typedPrompt({text, folds, typed}: RecordOf<'user'>): Typed {
	if (typed !== undefined) return typed;
	const known = checkFolds(folds, text) ?? [];
	const call = known.find(({from, to}) => from === 0 && to === text.length)?.label;
	return call?.startsWith('/') === true ? {text: call} : unlink(text, known);
}

/** Leaves out pasted attachments, and the words standing for them. */
function unlink(text: string, folds: readonly Fold[]): Typed {
	const pastes: Fold[] = [];
	let written = '';
	let end = 0;
	for (const {from, to, label, attachments} of folds) {
		written += text.slice(end, from);
		end = to;
		const start = written.length;
		const isPaste = attachments === undefined;
		if (isPaste || label.startsWith('@')) written += text.slice(from, to);
		else if (text[to] === ' ') end += 1;
		if (isPaste) pastes.push({from: start, to: written.length, label});
	}
	return {text: written + text.slice(end), folds: pastes};
}

/** Returns undefined unless every fold is part of the text, in order. */
function checkFolds(
	folds: readonly Fold[] | undefined,
	{length}: {readonly length: number},
): readonly Fold[] | undefined {
	let last = 0;
	const isRight = folds?.every(({from, to}) => {
		const isInOrder = from >= last && to >= from && to <= length;
		last = to;
		return isInOrder;
	});
	return isRight === true ? folds : undefined;
}
