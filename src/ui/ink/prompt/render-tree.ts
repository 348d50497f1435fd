/** Renders all branches' turns, replacing the prompt. */
import type {Turn} from '../../../chat/conversation.ts';
import {messageText} from '../../../chat/message.ts';
import {type Size, treeWindowRows} from '../../../repl/geometry.ts';
import {type List, windowOf} from '../../../repl/list/list.ts';
import type {TreeRow} from '../../../repl/list/tree-rows.ts';
import {lineOfPrompt} from '../../../repl/turn/prompts.ts';
import {renderMarkdown} from '../../../terminal/markdown/stream/streamer.ts';
import {joinSafe, type SafeText, stripUnsafe} from '../../../terminal/safe-text.ts';
import {createStyler, type Styler} from '../../../terminal/style.ts';
import {textWidth} from '../../../terminal/width.ts';
import {fitLine} from '../wrap-text.ts';

/** Marks the row after which the conversation goes on. */
const marks = [' ◂ now', ' ◂'];

/** Returns at most `room` rows around the selected one: prompts and, where there is room, answers. */
export function renderTree(
	tree: List<TreeRow>,
	size: Size,
	style: Styler,
	room: number,
): readonly SafeText[] {
	const width = size.columns - 1;
	const shown = windowOf(tree, Math.min(room, treeWindowRows(size)));
	const digits = Math.max(...shown.map(({item}) => String(item.number).length));
	const rows = shown.map(({item, mark, isSelected}) => {
		const {turn, number, lines, isHead, compacted} = item;
		const inset = lines.slice(-cellsOfBranch * Math.floor(width / 9));
		const start = stripUnsafe(`${mark}${inset}${String(number).padStart(digits)} `);
		const [now = ''] = isHead ? marks.slice(width < narrow ? 1 : 0) : [];
		const end = compacted === undefined || width < wide ? now : ` · ${compacted}${now}`;
		return {turn, start, title: lineOfPrompt(turn.prompt), end, isSelected};
	});
	const fixed = rows.map(({start, end}) => textWidth(start) + end.length);
	const widest = Math.max(...rows.map(({title}, index) => textWidth(title) + (fixed[index] ?? 0)));
	const beside = Math.min(widest, Math.ceil(width * 0.6));
	const answerWidth = width - beside - 3;
	const hasAnswers = answerWidth >= leastAnswer;
	const column = hasAnswers ? beside : width;
	return rows.map(({turn, start, title, end, isSelected}, index) => {
		const fitted = fitLine(title, Math.max(1, column - (fixed[index] ?? 0)));
		const prompt = joinSafe(start, fitted);
		const row = joinSafe(
			isSelected ? style(prompt, 'bold') : prompt,
			style(stripUnsafe(end), 'hint'),
		);
		const answer = hasAnswers ? startOfAnswer(turn) : '';
		if (answer === '') return row;
		const padding = column - textWidth(prompt) - end.length + 3;
		return joinSafe(
			row,
			stripUnsafe(' '.repeat(padding)),
			style(fitLine(answer, answerWidth), 'hint'),
		);
	});
}

const cellsOfBranch = 3;

/** Below this width the head's mark is one character. */
const narrow = 24;

/** Below this width nothing is said about compactions. */
const wide = 60;

/** The fewest cells for an answer beside its prompt. */
const leastAnswer = 12;

const answerLength = 200;

const plain = createStyler({hasColor: false});

/** Tells answers to the same prompt apart: the first row with words, without Markdown marks. */
function startOfAnswer({messages}: Turn): string {
	for (const message of messages) {
		const text = message.role === 'assistant' ? messageText(message).trim() : '';
		if (text === '') continue;
		const rows = renderMarkdown(text.slice(0, answerLength), {
			...{style: plain, width: answerLength, hasLinks: true, highlight: undefined},
			...{codeLabel: undefined, hasColor: false},
		}).map((row) => stripUnsafe(row));
		return rows
			.filter((row) => !row.includes('──'))
			.join(' ')
			.trim();
	}
	return '';
}
