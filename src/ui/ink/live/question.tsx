/**
 * Renders the open question: exactly what the user agrees to, with nothing hidden. A text too long
 * for the window shows its start and end, and needs printing before anyone can agree to it.
 */
import {Box} from 'ink';
import {promptMark, questionRows, ruleWidth, type Size} from '../../../repl/geometry.ts';
import {windowOf} from '../../../repl/list/list.ts';
import {chosenIn, type Field, linesOfText} from '../../../repl/question/field.ts';
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
	linesOfQuestion,
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

/** The open question, framed if there is room: as wide as the prompt's rules. */
export function QuestionBox({
	question: {isFramed, rows},
	columns,
}: {
	readonly question: QuestionFrame;
	readonly columns: number;
}) {
	const frame = isFramed
		? ({borderStyle: 'round', paddingX: 1, width: ruleWidth({columns})} as const)
		: {};
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
	const lines = linesOfQuestion(question);
	const body = isWhole(question, lines, state)
		? renderLines(lines, width, style)
		: cutMiddle(lines, bodyRows, width, style, question.isViewed ? shownAbove : undefined);
	const rows = isFramed ? renderChoices(question, width, state, style) : [];
	const choices = rows.length > 0 && body.length < bodyRows ? [stripUnsafe(''), ...rows] : rows;
	// A problem shows even in the smallest window, replacing the keys.
	const most = questionRows(state) + (question.problem === undefined ? 0 : 1);
	return {isFramed, rows: [...head.slice(0, most), ...body, ...choices]};
}

const shownAbove = '… cut here · all of it is above …';

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

/** A row is dim while it does not count. After another key, the counting keys are marked. */
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

/** A lower window has no frame. */
const leastRows = 8;

/** Choices shown before the message has all its rows. */
const leastChoices = 4;

/** The parts are rendered in order of importance, each in the remaining room. */
function renderField(question: Question, field: Field, size: Size, style: Styler): QuestionFrame {
	const {printedTitle, lines, fields, open = 0} = question;
	const {title, description = '', isRequired, rules, choices} = field;
	const inside = ruleWidth(size) - frameCells;
	const isFramed = inside >= leastFramed.width && questionRows(size) >= leastRows;
	const width = isFramed ? inside : size.columns - 1;
	let left = questionRows(size) - (isFramed ? frameRows : 0);
	const take = (most: number, render: (room: number) => Rows) => {
		const room = Math.max(0, Math.min(most, left));
		const rows = room === 0 ? [] : render(room).slice(0, room);
		left -= rows.length;
		return rows;
	};
	const takeText = (most: number, text: string, look: Style) =>
		take(text === '' ? 0 : most, (room) =>
			wrapText(text.slice(0, room * (width + 1)), width).map((row) => style(row, look)),
		);
	const count = choices.length;
	const kept = Math.min(leastChoices, count);
	const place = fields.length === 1 ? '' : ` (${open + 1} of ${fields.length})`;
	const required = isRequired ? 'required' : 'may be left empty';

	const problem = takeText(3, question.problem ?? '', 'error');
	const name = take(1, () => [style(fitLine(escapeInvisible(title), width), 'bold')]);
	const server = takeText(1, `${printedTitle}${place}`, 'bold');
	const limits = takeText(2, [required, ...rules].join(' · '), 'hint');
	const message = take(Math.min(left - kept, Math.max(6, left - count - 4)), (room) =>
		cutMiddle(lines, room, width, style, '… cut here · Tab shows all …'),
	);
	const about = take(Math.min(left - kept, Math.max(3, left - count - 1)), (room) =>
		linesOfText('', description)
			.slice(0, room)
			.flatMap(({text}) => wrapText(escapeInvisible(text).slice(0, room * (width + 1)), width))
			.map((row) => style(row, 'hint')),
	);
	const gap = take(Math.min(1, left - kept), () => [stripUnsafe('')]);
	const list = take(left, (room) => renderFieldChoices(field, room, width, style));
	const rows = [server, message, gap, name, about, limits, list, problem].flat();
	return {isFramed, rows};
}

/** Returns the choices around the selected one. */
function renderFieldChoices(field: Field, room: number, width: number, style: Styler): Rows {
	const {choices, isMultiple, place} = field;
	const chosen = new Set(chosenIn(field));
	const at = place ?? [...chosen][0] ?? 0;
	const digits = String(choices.length).length;
	return windowOf({items: choices, selected: at}, room).map(({item: {title}, index}) => {
		const isChosen = chosen.has(index);
		const box = isMultiple ? (isChosen ? '[x] ' : '[ ] ') : '';
		const isAt = isMultiple ? index === place : isChosen;
		const mark = `${isAt ? '›' : ' '} ${box}${String(index + 1).padStart(digits)}  `;
		const text = fitLine(escapeInvisible(title), Math.max(1, width - mark.length));
		const shown = safe`${stripUnsafe(mark)}${text}`;
		return isAt ? style(shown, 'bold') : shown;
	});
}
