/** Renders a session's first screen: the header, and the folder's last conversations. */
import type {Redact} from '../../../redact.ts';
import type {PlainEntry} from '../../../repl/state.ts';
import {joinSafe, redactSafe, safe, stripToLine, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {textWidth} from '../../../terminal/width.ts';
import {shortenMiddle} from '../../../wording.ts';
import type {Rows} from '../live/frame-input.ts';
import {firstFitting, fitLine} from '../wrap-text.ts';

type OpeningOptions = {
	readonly style: Styler;
	/** Cells per row. */
	readonly width: number;
	readonly redact: Redact;
};

/** The fewest cells for a long model name. */
const leastModel = 16;

/** Fits one row, cutting a long name's middle first. */
export function renderHeader(
	{version, model, service, folder}: Extract<PlainEntry, {type: 'header'}>,
	{style, width}: OpeningOptions,
): Rows {
	const quiet = (text: string) => style(stripToLine(text), 'quiet');
	const name = stripToLine(model);
	const program = safe`${style(stripUnsafe('chat'), 'bold')} ${quiet(version)}`;
	const place = safe` ${quiet('at')} ${stripToLine(service)}`;
	/** The parts after the name, from long to short. */
	const ends = [safe`${place}${gap}${quiet(folder)}`, place, safe``];
	const titles = ends.flatMap((end) => {
		const left = width - textWidth(stripUnsafe(joinSafe(program, gap, end)));
		if (left < Math.min(leastModel, textWidth(name))) return [];
		return [joinSafe(program, gap, stripUnsafe(shortenMiddle(name, left)), end)];
	});
	const [title = fitLine(`chat ${version}`, width)] = titles;
	return [title];
}

const gap = safe`   `;

/** A narrower window does not wrap these rows. */
const listWidth = 72;

/** The fewest cells for a title beside other columns. */
const leastTitle = 20;

const headings = [
	'Earlier in this folder · /resume 1 goes on',
	'Earlier here · /resume 1 goes on',
	'/resume 1 goes on',
];

/** A row for each conversation, below a row with the command; a single one follows the command. */
export function renderEarlier(
	{sessions}: Extract<PlainEntry, {type: 'earlier'}>,
	{style, width, redact}: OpeningOptions,
): Rows {
	const hint = (text: string) => style(stripToLine(text), 'hint');
	const all = Math.min(listWidth, width);
	const isOne = sessions.length === 1;
	const label = (index: number) => (isOne ? '/resume 1' : String(index + 1));
	const widest = (texts: readonly string[]) => Math.max(...texts.map((text) => textWidth(text)));
	const titles = sessions.map(({title}) => redactSafe(stripToLine(title), redact));
	const left = all - textWidth(label(0)) - 2;
	const details = [
		sessions.map(({turns, age}) => (turns === undefined ? age : `${turns} · ${age}`)),
		sessions.map(({age}) => age),
	].find((texts) => left - widest(texts) - 3 >= Math.min(leastTitle, widest(titles)));
	const room = details === undefined ? left : left - widest(details) - 3;
	const titleWidth = Math.min(room, widest(titles));
	const rows = titles.map((title, index) => {
		const fitted = fitLine(title, titleWidth);
		const start = safe`${hint(label(index))}  ${fitted}`;
		const detail = details?.[index];
		if (detail === undefined) return start;
		const padding = stripUnsafe(' '.repeat(titleWidth - textWidth(fitted)));
		return joinSafe(start, padding, gap, hint(detail));
	});
	return isOne ? rows : [hint(firstFitting(headings, all)), ...rows];
}
