/** Renders one field that a server asks for, above the place where it is written. */

import {dialogRows, type Size} from '../../repl/geometry.ts';
import {windowOf} from '../../repl/list/list.ts';
import {
	type ElicitationDialog,
	linesOfText,
	type OpenField,
	textOf,
} from '../../repl/question/elicitation.ts';
import {frameCells, frameRows, leastFramed} from '../../repl/question/layout.ts';
import {escapeInvisible, safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import type {Style} from '../../terminal/theme.ts';
import type {QuestionFrame, Rows} from './frame-input.ts';
import {cutMiddle} from './render-lines.ts';
import {fitLine, wrapText} from './wrap-text.ts';

/** From top to bottom. */
const parts = [
	'server',
	'message',
	'gap',
	'field',
	'about',
	'rules',
	'choices',
	'problem',
] as const;

type Part = (typeof parts)[number];

/** Who gets rows first, and how many. */
const shares: ReadonlyArray<readonly [part: Part, rows: number]> = [
	['problem', 3],
	['field', 1],
	['server', 1],
	['rules', 2],
	['choices', 4],
	['message', 6],
	['about', 3],
	['gap', 1],
	['choices', Number.POSITIVE_INFINITY],
	['message', Number.POSITIVE_INFINITY],
	['about', Number.POSITIVE_INFINITY],
];

/** A lower window has no frame. */
const leastRows = 8;

export function renderField(
	dialog: ElicitationDialog,
	open: OpenField,
	size: Size,
	style: Styler,
): QuestionFrame {
	const inside = size.columns - 1 - frameCells;
	const rows = dialogRows(size);
	const isFramed = inside >= leastFramed.width && rows >= leastRows;
	const width = isFramed ? inside : size.columns - 1;
	const render = createRenderers(dialog, open, width, style);
	const shown = new Map<Part, Rows>();
	let left = rows - (isFramed ? frameRows : 0);
	for (const [part, most] of shares) {
		const room = left + (shown.get(part)?.length ?? 0);
		const own = render[part](Math.min(room, most));
		shown.set(part, own);
		left = room - own.length;
	}
	const [head = [], ...others] = parts.map((part) => shown.get(part) ?? []);
	const body = others.flat();
	return head.length === 0
		? {isFramed, head: body, body: [], choices: []}
		: {isFramed, head, body, choices: []};
}

/** Returns functions that render a part in a number of rows, which may be none. */
function createRenderers(
	{request, problem, fields, index}: ElicitationDialog,
	open: OpenField,
	width: number,
	style: Styler,
): Readonly<Record<Part, (room: number) => Rows>> {
	const {field, kind} = open;
	const count = fields.length === 1 ? '' : ` (${index + 1} of ${fields.length})`;
	const wrap = (text: string, room: number, ...look: readonly Style[]) =>
		wrapText(text.slice(0, room * (width + 1)), width)
			.slice(0, room)
			.map((row) => style(row, ...look));
	const rules = [field.isRequired ? 'required' : 'may be left empty', ...kind.rules];
	return {
		server: (room) => wrap(`server ${request.server} asks:${count}`, room, 'bold'),
		message: (room) => cutMiddle(linesOfText('says', request.message), room, width, style, 'Tab'),
		gap: (room) => (room === 0 ? [] : [stripUnsafe('')]),
		field: (room) =>
			room === 0 ? [] : [style(fitLine(escapeInvisible(field.title), width), 'bold')],
		about: (room) =>
			linesOfText('', field.description ?? '')
				.slice(0, room)
				.flatMap(({text}) => wrap(escapeInvisible(text), room, 'hint'))
				.slice(0, room),
		rules: (room) => wrap(rules.join(' · '), room, 'hint'),
		choices: (room) => renderChoices(open, room, width, style),
		problem: (room) => wrap(problem ?? '', problem === undefined ? 0 : room, 'error'),
	};
}

/** Returns the choices around the one that the arrows are at. */
function renderChoices(open: OpenField, room: number, width: number, style: Styler): Rows {
	const {kind, place} = open;
	const {choices, isMultiple} = kind;
	const chosen = new Set(kind.chosen(textOf(open)));
	const at = place ?? [...chosen][0] ?? 0;
	const digits = String(choices.length).length;
	return windowOf({items: choices, selected: at}, room).map(({item: title, index}) => {
		const isChosen = chosen.has(index);
		const box = isMultiple ? (isChosen ? '[x] ' : '[ ] ') : '';
		const isAt = isMultiple ? index === place : isChosen;
		const mark = `${isAt ? '›' : ' '} ${box}${String(index + 1).padStart(digits)}  `;
		const text = fitLine(escapeInvisible(title), Math.max(1, width - mark.length));
		const shown = safe`${stripUnsafe(mark)}${text}`;
		return isAt ? style(shown, 'bold') : shown;
	});
}
