/** Speaks transcript entries: each begins with a word naming its kind. */
import {lineOfQuotation, sumOfQuotations} from '../../chat/checked-quotation.ts';
import type {ApprovalLine} from '../../chat/tool.ts';
import {outputText} from '../../chat/tool-output.ts';
import type {Redact} from '../../redact.ts';
import {nameAttachments} from '../../repl/commands/attachment-commands.ts';
import {noNumber, type TranscriptEntry, type Truncation} from '../../repl/state.ts';
import {lineOfCall} from '../../repl/turn/call-text.ts';
import {
	describeErrorEntry,
	describeTruncation,
	type FailureOptions,
} from '../../repl/turn/describe-end.ts';
import {displayPrompt} from '../../repl/turn/prompts.ts';
import {speakMarkdown} from '../../terminal/markdown/speech/speaker.ts';
import {
	escapeInvisible,
	redactSafe,
	revealText,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';

export type SpeechOptions = FailureOptions & {
	/** Redacts everything except answers. */
	readonly redact: Redact;
};

const keep: Redact = (text) => text;

/** Returns any text on one line, unable to imitate lines of ours. */
export function speakLine(text: string, redact: Redact = keep): SafeText {
	return redactSafe(stripToLine(text), redact);
}

/** @param number the turn's number, for the command reading it */
export function speakThought(reasoningMs: number, number: number | undefined): SafeText {
	const hint = number === undefined ? '' : ` /reasoning ${number} reads it.`;
	return speakLine(`Thought for ${speakDuration(reasoningMs)}.${hint}`);
}

export function speakEntry(entry: TranscriptEntry, options: SpeechOptions): readonly SafeText[] {
	const {redact} = options;
	switch (entry.type) {
		case 'answer':
			return [safe`Answer:`, ...speakMarkdown(entry.text, entry.codeBlocksAbove)];
		case 'prompt': {
			const {prompt} = entry;
			const text = stripUnsafe(displayPrompt(prompt)).split('\n').map(stripUnsafe);
			const files = nameAttachments(prompt.attachments);
			const lines = files === '' ? text : [...text, stripToLine(files)];
			return lines.map((line, index) => (index === 0 ? safe`You: ${line}` : line));
		}
		case 'notice':
			return [speakNotice(entry.text, redact)];
		case 'error': {
			const {title, below} = describeErrorEntry(entry, options);
			const lines = [`Error: ${title}`, ...(below.length === 0 ? [] : [below.join('; ')])];
			return lines.map((line) => speakLine(line, redact));
		}
		case 'reasoning-summary':
			return [speakThought(entry.reasoningMs, entry.number)];
		case 'sources':
			return entry.lines.map((line) => speakLine(`Source ${line}`));
		case 'quotations':
			return [...entry.quotations.map(lineOfQuotation), sumOfQuotations(entry.quotations)].map(
				(line) => speakLine(`Quotation ${line}`, redact),
			);
		case 'truncation':
			return [speakTruncation(entry, redact)];
		case 'tool':
			return speakTool(entry, redact);
		case 'answered':
			return [speakNotice(entry.text, redact)];
		case 'question':
			return [
				speakNotice(entry.title, redact),
				...speakLines(entry.lines),
				...(entry.address === undefined ? [] : [stripToLine(entry.address)]),
			];
		case 'reasoning':
			return speakReasoning(entry.text);
		case 'text':
			return entry.text.split('\n').map((line) => speakLine(line));
		case 'numbers':
			return speakNumbers(entry);
		case 'table':
			return entry.groups.flatMap(({title, rows}) => [
				...(title === undefined ? [] : [speakLine(`${title}:`)]),
				...rows.map(([name, meaning]) => speakLine(name === '' ? meaning : `${name}: ${meaning}`)),
			]);
		case 'header':
			return [speakLine(`chat ${entry.version}, ${entry.model} at ${entry.service}.`)];
		case 'earlier':
			return [
				safe`Earlier in this folder:`,
				...entry.sessions.map(({title, turns, age}, index) =>
					speakLine([`${index + 1}. ${title}`, turns, age].filter(Boolean).join(', '), redact),
				),
				safe`/resume 1 goes on with number 1.`,
			];
		case 'command':
			// The terminal echoed it.
			return [];
		default:
			return entry satisfies never;
	}
}

function speakTruncation(entry: Truncation, redact: Redact): SafeText {
	const {reason} = entry;
	if (isSpokenReason(reason)) return speakLine(`Answer ${reason}.`);
	const text = describeTruncation(entry);
	return speakNotice(reason === 'reported' ? text : `the answer was ${text}`, redact);
}

/** Whether a spoken turn's last line says it all. */
export function isSpokenReason(reason: Truncation['reason']): boolean {
	return reason === 'interrupted' || reason === 'incomplete' || reason === 'refused';
}

function speakNotice(text: string, redact: Redact): SafeText {
	return speakLine(`Note: ${text}`, redact);
}

function speakNumbers({
	columns,
	rows,
	note,
}: Extract<TranscriptEntry, {type: 'numbers'}>): readonly SafeText[] {
	const lines = rows.map(([name, ...numbers]) => {
		const values = numbers.map((number, index) => {
			return `${columns[index]} ${number === noNumber ? 'unknown' : number}`;
		});
		return speakLine(`${name}: ${values.join(', ')}`);
	});
	return note === undefined ? lines : [...lines, speakLine(note)];
}

export function speakReasoning(text: string): readonly SafeText[] {
	return [safe`Reasoning:`, ...speakMarkdown(text), safe`End of reasoning.`];
}

/** Every line has a label, so none can imitate a line of ours. */
export function speakLines(lines: readonly ApprovalLine[]): readonly SafeText[] {
	let name = safe``;
	return lines.map(({label, text, number}) => {
		if (label !== '') name = stripToLine(label);
		const place = number === undefined ? safe`` : safe` ${number}`;
		return safe`${name}${place}: ${revealText(text)}`;
	});
}

const shownLines = 4;

/** Reads a tool output's first lines, or all of it. */
function speakTool(
	entry: Extract<TranscriptEntry, {type: 'tool'}>,
	redact: Redact,
): readonly SafeText[] {
	const {result, number, isWhole = false} = entry;
	const title = redactSafe(safe`Tool ${escapeInvisible(lineOfCall(entry))}`, redact);
	if (result === undefined) return [title];
	const lines = redactSafe(stripUnsafe(outputText(result)), redact)
		.trimEnd()
		.split('\n');
	const shown = lines.slice(0, isWhole ? undefined : shownLines).map(stripUnsafe);
	const left = lines.length - shown.length;
	const label = result.isError ? safe`Tool failed:` : safe`Result:`;
	return [
		title,
		...(lines.length === 1 ? shown.map((line) => safe`${label} ${line}`) : [label, ...shown]),
		...(left > 0 ? [speakLine(`${plural(left, 'more line')}.${readsIt(number)}`)] : []),
	];
}

function readsIt(number: number | undefined): string {
	return number === undefined ? '' : ` /tool ${number} reads all.`;
}

/** Returns `12 seconds`, `2 minutes 5 seconds`. */
export function speakDuration(milliseconds: number): string {
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	if (seconds < 60) return plural(seconds, 'second');
	const rest = seconds % 60;
	const minutes = plural(Math.floor(seconds / 60), 'minute');
	return rest === 0 ? minutes : `${minutes} ${plural(rest, 'second')}`;
}
