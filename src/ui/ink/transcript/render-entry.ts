/** Renders scrollback entries; the answer under way has its own view. */
import {lineOfQuotation, passes} from '../../../chat/checked-quotation.ts';
import type {Prompt} from '../../../chat/prompt.ts';
import {outputText} from '../../../chat/tool-output.ts';
import type {Redact} from '../../../redact.ts';
import {nameAttachments} from '../../../repl/commands/attachment-commands.ts';
import {promptMark} from '../../../repl/geometry.ts';
import {withKey} from '../../../repl/keys/help-tables.ts';
import type {PlainEntry, TableGroup, TranscriptEntry} from '../../../repl/state.ts';
import {lineOfCall, linesOfArguments} from '../../../repl/turn/call-text.ts';
import {
	describeErrorEntry,
	describeTruncation,
	type FailureOptions,
} from '../../../repl/turn/describe-end.ts';
import {displayPrompt} from '../../../repl/turn/prompts.ts';
import {alignRows} from '../../../terminal/align-rows.ts';
import {type MarkdownOptions, renderMarkdown} from '../../../terminal/markdown/stream/streamer.ts';
import {
	escapeInvisible,
	redactSafe,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import type {Style} from '../../../terminal/theme.ts';
import {textWidth} from '../../../terminal/width.ts';
import {formatCount, formatSpan, nameTool, plural} from '../../../wording.ts';
import type {Rows} from '../live/frame-input.ts';
import {cutRows, fitLine, fitTitle, trimRows, wrapText} from '../wrap-text.ts';
import {renderLines} from './render-lines.ts';
import {renderEarlier, renderHeader} from './render-opening.ts';

export type EntryOptions = FailureOptions & {
	readonly style: Styler;
	/** Cells per row. */
	readonly width: number;
	/** Redacts text possibly coming from a server. */
	readonly redact: Redact;
	/** Opens the last turn's reasoning. */
	readonly reasoningKey?: string | undefined;
};

export function renderEntry(
	entry: TranscriptEntry,
	options: EntryOptions & MarkdownOptions,
): readonly SafeText[] {
	if (entry.type === 'answer') return renderMarkdown(entry.text, {...options, hasLongRows: true});
	if (entry.type === 'reasoning') return renderReasoning(entry.text, options);
	return renderPlainEntry(entry, options);
}

/** Renders any entry except Markdown. */
export function renderPlainEntry(entry: PlainEntry, options: EntryOptions): readonly SafeText[] {
	const {style, width, redact} = options;
	const inside = {...options, width: insideWidth(width, margin)};
	const paint = (text: string, ...styles: readonly Style[]) =>
		wrapText(text, width).map((row) => style(row, ...styles));
	switch (entry.type) {
		case 'prompt':
			return renderPrompt(entry.prompt, options);
		case 'notice':
			return speak('·', [partsOf(entry.text, entry.key).join('; ')], options);
		case 'error':
			return renderError(entry, options);
		case 'reasoning-summary':
			return renderThought(entry, options);
		case 'sources':
			// The terminal wraps them, so copying yields whole addresses.
			return inset(
				entry.lines.map((line) => style(stripToLine(line), 'hint')),
				margin,
			);
		case 'quotations':
			return entry.quotations.flatMap((quotation) => {
				const [mark = '', ...rest] = lineOfQuotation(quotation);
				const role = passes(quotation) ? undefined : 'error';
				return speak(mark, [rest.join('').trim()], options, role);
			});
		case 'truncation':
			return speak('◐', partsOf(describeTruncation(entry), entry.next), options);
		case 'text':
			return renderText(entry.text, width);
		case 'table':
			return inset(renderTable(entry.groups, inside), margin);
		case 'numbers':
			return renderText(linesOfNumbers(entry).join('\n'), width);
		case 'header':
			return inset(renderHeader(entry, inside), margin);
		case 'earlier':
			return inset(renderEarlier(entry, inside), margin);
		case 'command':
			return [
				style(
					fitLine(`${promptMark}${redactSafe(stripToLine(entry.text), redact)}`, width),
					'quiet',
				),
			];
		case 'tool':
			return renderTool(entry, options);
		case 'answered':
			return speak('·', [entry.text], options);
		case 'question':
			return [
				...paint(entry.title, 'bold'),
				...renderLines(entry.lines, width, style),
				// The terminal wraps it, so copying yields it whole.
				...(entry.address === undefined ? [] : [stripToLine(entry.address)]),
			];
		default:
			return entry satisfies never;
	}
}

/** A line for the failure, a line naming the next step, then code and request id for a report. */
function renderError(
	entry: Extract<PlainEntry, {type: 'error'}>,
	options: EntryOptions,
): readonly SafeText[] {
	const {title, below} = describeErrorEntry(entry, options);
	return [
		...speak('✗', [title], options, 'error'),
		...(below.length === 0 ? [] : speak(' ', below, options)),
	];
}

/** The indentation setting everything `chat` says apart from the answer. */
const margin = '  ';

/**
 * Renders a `chat` line after its mark, wrapped inside both margins. A single line, because server
 * text must not imitate others of ours.
 */
function speak(
	mark: string,
	parts: readonly string[],
	{style, width, redact}: EntryOptions,
	look: Style = 'hint',
): Rows {
	const inside = margin + ' '.repeat(mark.length + 1);
	const text = redactSafe(stripToLine(parts.join(' · ')), redact);
	const rows = wrapText(text, insideWidth(width, inside)).map((row) => style(row, look));
	const [first = stripUnsafe(''), ...others] = rows;
	return [
		safe`${stripUnsafe(margin)}${style(stripUnsafe(mark), look)} ${first}`,
		...inset(others, inside),
	];
}

function inset(rows: Rows, before: string): Rows {
	return rows.map((row) => (row === '' ? row : safe`${stripUnsafe(before)}${row}`));
}

/** A narrow window has room for a table's rows alone, without the margin. */
function renderText(text: string, width: number): Rows {
	const rows = wrapText(text, width);
	const before = rows.some((row) => textWidth(row) > width - margin.length) ? '' : margin;
	const isWrapped = rows.length > text.split('\n').length;
	return isWrapped
		? inset(wrapText(text, insideWidth(width, margin)), margin)
		: inset(rows, before);
}

function linesOfNumbers({
	columns,
	rows,
	note,
}: Extract<PlainEntry, {type: 'numbers'}>): readonly string[] {
	const numbers = columns.map((_, index) => index + 1);
	return [...alignRows([['', ...columns], ...rows], textWidth, {numbers}), ...partsOf(note)];
}

function insideWidth(width: number, before: string): number {
	return Math.max(1, width - before.length);
}

function partsOf(...parts: ReadonlyArray<string | undefined>): readonly string[] {
	return parts.filter((part) => part !== undefined);
}

function renderTable(
	groups: readonly TableGroup[],
	{style, width}: EntryOptions,
): readonly SafeText[] {
	const names = groups.flatMap(({rows}) => rows.map(([name]) => stripToLine(name)));
	const widest = Math.max(...names.map((name) => textWidth(name)));
	return groups.flatMap(({title, rows}) => {
		const heading = title === undefined ? [] : [style(fitLine(title, width), 'bold')];
		return [...heading, ...rows.flatMap((row) => renderTableRow(row, widest, width, style))];
	});
}

/** The fewest cells for a meaning beside its name. */
const leastMeaning = 24;

/** Puts the meaning beside its name or, in a narrow window, below it. */
function renderTableRow(
	[name, meaning, key]: TableGroup['rows'][number],
	widest: number,
	width: number,
	style: Styler,
): readonly SafeText[] {
	const isBeside = width - widest - 2 >= leastMeaning;
	const left = isBeside ? widest + 2 : 4;
	const indent = stripUnsafe(' '.repeat(left));
	const rows = wrapText(withKey(meaning, key), Math.max(1, width - left));
	const below = rows.map((row) => safe`${indent}${row}`);
	if (!isBeside) return [...wrapText(name, width).map((row) => style(row, 'accent')), ...below];
	const shown = stripToLine(name);
	const gap = stripUnsafe(' '.repeat(left - textWidth(shown)));
	const first = safe`${style(shown, 'accent')}${gap}${rows[0] ?? stripUnsafe('')}`;
	return [first, ...below.slice(1)];
}

const shownLines = 5;

/** Shows a tool output's first lines, and the command printing all of it. */
function renderTool(
	entry: Extract<TranscriptEntry, {type: 'tool'}>,
	options: EntryOptions,
): readonly SafeText[] {
	if (entry.isWhole) return renderWholeTool(entry, options);
	const {style, width, redact} = options;
	const {result, number} = entry;
	const call = redactSafe(escapeInvisible(lineOfCall(entry)), redact);
	const lines = result === undefined ? [] : linesOfResult(result, redact);
	const isFolded = textWidth(call) > width - 2 || lines.length > shownLines;
	const command = isFolded && number !== undefined ? `   /tool ${number}` : '';
	const title = fitLine(`▸ ${call}`, Math.max(1, width - command.length));
	const bar = style(stripUnsafe('│'), 'quiet');
	const shown = cutRows(lines, shownLines, (count) => `and ${formatCount(count)} more lines`);
	const rows = shown.map((line) => {
		const row = fitLine(line, Math.max(1, width - 4));
		return safe`  ${bar} ${style(row, result?.isError ? 'error' : 'hint')}`;
	});
	return [safe`${style(title, 'accent')}${style(stripUnsafe(command), 'hint')}`, ...rows];
}

/** Shows a call without bars and cuts, for copying its output. */
function renderWholeTool(
	entry: Extract<TranscriptEntry, {type: 'tool'}>,
	{style, width, redact}: EntryOptions,
): readonly SafeText[] {
	const {result} = entry;
	const inner = insideWidth(width, margin);
	const call = linesOfArguments(entry).flatMap((line) =>
		wrapText(redactSafe(escapeInvisible(line), redact), inner),
	);
	const text = result === undefined ? 'no result' : linesOfResult(result, redact).join('\n');
	const look = result?.isError ? 'error' : undefined;
	const rows = wrapText(text, inner).map((row) => (look === undefined ? row : style(row, look)));
	return inset(
		[
			style(fitLine(nameTool(entry.name), inner), 'bold'),
			...call.map((row) => style(row, 'hint')),
			stripUnsafe(''),
			...rows,
		],
		margin,
	);
}

function linesOfResult(
	result: Parameters<typeof outputText>[0],
	redact: Redact,
): readonly string[] {
	return redactSafe(stripUnsafe(outputText(result)), redact)
		.trimEnd()
		.split('\n');
}

function renderPrompt(prompt: Prompt, {style, width}: EntryOptions): readonly SafeText[] {
	const textWidth = Math.max(1, width - promptMark.length);
	const indent = stripUnsafe(' '.repeat(promptMark.length));
	const mark = style(stripUnsafe(promptMark), 'bold');
	const rows = wrapText(displayPrompt(prompt), textWidth);
	const files = nameAttachments(prompt.attachments);
	return [
		...rows.map((row, index) => safe`${index === 0 ? mark : indent}${style(row, 'bold')}`),
		...(files === ''
			? []
			: wrapText(files, textWidth).map((row) => style(safe`${indent}${row}`, 'hint'))),
	];
}

/** Renders `▸ Thought for 12 s`, with the tokens if the service reports them, and the command. */
function renderThought(
	{reasoningMs, tokens, number, isOpen}: Extract<PlainEntry, {type: 'reasoning-summary'}>,
	{style, width}: EntryOptions,
): Rows {
	const count = tokens === undefined ? '' : ` · ${plural(tokens, 'token')}`;
	const title = `${isOpen ? '▾' : '▸'} Thought for ${formatSpan(reasoningMs)}${count}`;
	const command = isOpen || number === undefined ? undefined : `/reasoning ${number}`;
	return [style(fitTitle(title, command, width), 'hint')];
}

/** Renders reasoning after a bar. */
function renderReasoning(text: string, options: EntryOptions & MarkdownOptions): Rows {
	const {style, width} = options;
	const plain = {highlight: undefined, codeLabel: undefined, notes: undefined};
	const inner = {...options, ...plain, width: Math.max(1, width - 2)};
	const rows = trimRows(renderMarkdown(text, {...inner, styles: ['quiet']}));
	const bar = style(stripUnsafe('│'), 'quiet');
	return rows.map((row) => (row === '' ? bar : safe`${bar} ${row}`));
}
