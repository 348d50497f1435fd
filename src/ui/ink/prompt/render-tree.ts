/** Renders the turns of all branches, in place of the prompt. */
import type {Turn} from '../../../chat/conversation.ts';
import {messageText} from '../../../chat/message.ts';
import {type Size, treeWindowRows} from '../../../repl/geometry.ts';
import {type List, windowOf} from '../../../repl/list/list.ts';
import type {TreeRow} from '../../../repl/list/tree-rows.ts';
import {lineOfPrompt} from '../../../repl/turn/prompts.ts';
import {joinSafe, type SafeText, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {textWidth} from '../../../terminal/width.ts';
import {fitLine} from '../wrap-text.ts';

/** Returns at most `room` rows, those around the selected one. */
export function renderTree(
	tree: List<TreeRow>,
	size: Size,
	style: Styler,
	room: number,
): readonly SafeText[] {
	const width = size.columns - 1;
	return windowOf(tree, Math.min(room, treeWindowRows(size))).map(({item, mark, isSelected}) => {
		const {turn, number, indent, isOnPath} = item;
		const inset = ' '.repeat(Math.min(indent * 2, Math.floor(width / 3)));
		const before = stripUnsafe(`${mark}${inset}${isOnPath ? '*' : ' '} ${number} `);
		const free = Math.max(1, width - textWidth(before));
		const answer = startOfAnswer(turn);
		const title = fitLine(lineOfPrompt(turn.prompt), answer === '' ? free : Math.ceil(free * 0.6));
		const left = free - textWidth(title) - 2;
		const shown = joinSafe(before, title);
		return joinSafe(
			isSelected ? style(shown, 'bold') : shown,
			answer === '' || left < leastAnswer
				? stripUnsafe('')
				: style(stripUnsafe(`  ${fitLine(answer, left)}`), 'hint'),
		);
	});
}

/** The fewest cells for an answer beside its prompt. */
const leastAnswer = 8;

const answerLength = 200;

/** Tells answers to the same prompt apart. */
function startOfAnswer({messages}: Turn): string {
	for (const message of messages) {
		const text = message.role === 'assistant' ? messageText(message).trim() : '';
		if (text !== '') return text.slice(0, answerLength);
	}
	return '';
}
