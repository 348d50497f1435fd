/**
 * Renders the open question: exactly what the user agrees to, with nothing hidden. What does not fit
 * shows its start and its end, and cannot be agreed to until it has been printed.
 */
import {Box} from 'ink';
import {promptMark, questionRows, type Size} from '../../../repl/geometry.ts';
import {windowOf} from '../../../repl/list/list.ts';
import {type Field, linesOfText, textOf} from '../../../repl/question/field.ts';
import {
	canAgree,
	frameCells,
	frameRows,
	isWhole,
	layoutQuestion,
	leastFramed,
} from '../../../repl/question/layout.ts';
import {
	type Choice,
	choicesOf,
	hasLetters,
	linesOf,
	openField,
	type Question,
	selectedIn,
} from '../../../repl/question/question.ts';
import type {AnswerState} from '../../../repl/state.ts';
import {escapeInvisible, safe, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import type {Style} from '../../../terminal/theme.ts';
import {wrapCells} from '../../../terminal/wrap-line.ts';
import {Lines} from '../lines.tsx';
import {cutMiddle, renderLines} from '../transcript/render-lines.ts';
import {fitLine, wrapText} from '../wrap-text.ts';
import {noQuestion, type QuestionFrame, type Rows} from './frame-input.ts';

/** The open question, in a frame if there is room for one. */
export function QuestionBox({question: {isFramed, rows}}: {readonly question: QuestionFrame}) {
	const frame = isFramed ? ({borderStyle: 'round', paddingX: 1} as const) : {};
	return (
		<Box alignSelf="flex-start" {...frame}>
			<Lines rows={rows} />
		</Box>
	);
}

/** Takes at most `questionRows`. */
export function renderQuestion(state: AnswerState, style: Styler): QuestionFrame {
	const {question} = state;
	if (question === undefined) return noQuestion;
	const field = openField(question);
	if (field !== undefined && field.settle === undefined) {
		return renderField(question, field, state, style);
	}
	const {isFramed, width, bodyRows} = layoutQuestion(question, state);
	const head = renderHead(question, isFramed, width, style);
	const lines = linesOf(question);
	const body = isWhole(question, lines, state)
		? renderLines(lines, width, style)
		: cutMiddle(lines, bodyRows, width, style);
	const rows = isFramed ? renderChoices(question, width, state, style) : [];
	const choices = rows.length > 0 && body.length < bodyRows ? [stripUnsafe(''), ...rows] : rows;
	// A problem is shown in the smallest window, in place of the keys.
	const most = questionRows(state) + (question.problem === undefined ? 0 : 1);
	return {isFramed, rows: [...head.slice(0, most), ...body, ...choices]};
}

function renderHead(
	{title, about, host, problem}: Question,
	isFramed: boolean,
	width: number,
	style: Styler,
): Rows {
	const shown = isFramed && about !== '' ? [fitLine(escapeInvisible(about), width)] : [];
	const refusal = problem === undefined ? [] : [style(fitLine(problem, width), 'error')];
	const head = [
		style(fitLine(title, width), 'bold'),
		...shown.map((row) => style(row, 'hint')),
		...refusal,
	];
	if (host === '') return head;
	const gap: Rows = isFramed ? [stripUnsafe('')] : [];
	const large = wrapCells(host, width).map(({start, end}) =>
		style(stripUnsafe(host.slice(start, end)), 'bold'),
	);
	return [...head, ...gap, ...large, ...gap];
}

/** A row is dim while it does not count. After another key, the keys that would count are marked. */
function renderChoices(question: Question, width: number, size: Size, style: Styler): Rows {
	const {isArmed, typed} = question;
	const all = choicesOf(question);
	const selected = selectedIn(question);
	const isShown = canAgree(question, size);
	const isMissed = typed !== undefined && !isArmed;
	const keyLook: readonly Style[] = hasLetters(question) ? [] : ['quiet'];
	return all.map(({key, meaning, isAgreement}) => {
		const isWaiting = (isAgreement && !isShown) || !(isArmed || isMissed);
		const isSelected = key === selected;
		const look: readonly Style[] = isWaiting ? ['quiet'] : isSelected ? ['bold'] : [];
		const mark = stripUnsafe(isSelected ? promptMark : ' '.repeat(promptMark.length));
		const letter = style(stripUnsafe(key), ...(isMissed ? missedLook : [...look, ...keyLook]));
		const text = fitLine(key === 'v' && !isShown ? showFirst(all) : meaning, width - 5);
		return safe`${style(mark, ...look)}${letter}${style(safe`  ${text}`, ...look)}`;
	});
}

const missedLook: readonly Style[] = ['reverse'];

function showFirst(choices: readonly Choice[]): string {
	const keys = choices.filter(({isAgreement}) => isAgreement).map(({key}) => key);
	return `show all of it, before ${keys.join(' or ')}`;
}

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

/** Row quotas of the parts, the highest priority first. */
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

function renderField(question: Question, field: Field, size: Size, style: Styler): QuestionFrame {
	const inside = size.columns - 1 - frameCells;
	const rows = questionRows(size);
	const isFramed = inside >= leastFramed.width && rows >= leastRows;
	const width = isFramed ? inside : size.columns - 1;
	const render = createRenderers(question, field, width, style);
	const shown = new Map<Part, Rows>();
	let left = rows - (isFramed ? frameRows : 0);
	for (const [part, most] of shares) {
		const room = left + (shown.get(part)?.length ?? 0);
		const own = render[part](Math.min(room, most));
		shown.set(part, own);
		left = room - own.length;
	}
	return {isFramed, rows: parts.flatMap((part) => shown.get(part) ?? [])};
}

/** Returns functions that render a part in a number of rows, which may be none. */
function createRenderers(
	{printedTitle, lines, problem, fields, open = 0}: Question,
	field: Field,
	width: number,
	style: Styler,
): Readonly<Record<Part, (room: number) => Rows>> {
	const {title, description, isRequired, kind} = field;
	const count = fields.length === 1 ? '' : ` (${open + 1} of ${fields.length})`;
	const wrap = (text: string, room: number, ...look: readonly Style[]) =>
		wrapText(text.slice(0, room * (width + 1)), width)
			.slice(0, room)
			.map((row) => style(row, ...look));
	const rules = [isRequired ? 'required' : 'may be left empty', ...kind.rules];
	return {
		server: (room) => wrap(`${printedTitle}${count}`, room, 'bold'),
		message: (room) => cutMiddle(lines, room, width, style, 'Tab'),
		gap: (room) => (room === 0 ? [] : [stripUnsafe('')]),
		field: (room) => (room === 0 ? [] : [style(fitLine(escapeInvisible(title), width), 'bold')]),
		about: (room) =>
			linesOfText('', description)
				.slice(0, room)
				.flatMap(({text}) => wrap(escapeInvisible(text), room, 'hint'))
				.slice(0, room),
		rules: (room) => wrap(rules.join(' · '), room, 'hint'),
		choices: (room) => renderFieldChoices(field, room, width, style),
		problem: (room) => wrap(problem ?? '', problem === undefined ? 0 : room, 'error'),
	};
}

/** Returns the choices around the one that the arrows are at. */
function renderFieldChoices(field: Field, room: number, width: number, style: Styler): Rows {
	const {kind, place} = field;
	const {choices, isMultiple} = kind;
	const chosen = new Set(kind.chosen(textOf(field)));
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
