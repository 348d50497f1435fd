/** Lists of numbered lines, of which a line with a number chooses one. */
import {readNumber} from '../../repl/list/list.ts';
import type {MenuValue} from '../../repl/list/menu.ts';
import {type TreeRow, treeRows} from '../../repl/list/tree-rows.ts';
import type {ReplState} from '../../repl/state.ts';
import {lineOfPrompt} from '../../repl/turn/prompts.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import {speakLine} from './speak-entry.ts';

export type Menu = {
	readonly title: string;
	readonly items: readonly string[];
	/** Called with the index of an item; undefined if the user goes back. */
	readonly choose: (index: number | undefined) => void;
};

type Choose = (value: string | undefined) => void;

const maxItems = 30;

export function valueMenu(title: string, values: readonly MenuValue[], choose: Choose): Menu {
	const shown = values.slice(0, maxItems);
	const left = values.length - shown.length;
	return {
		title: left === 0 ? title : `${title}, without ${left} more`,
		items: shown.map(({text, label = text, meaning}) =>
			meaning === undefined ? label : `${label}, ${meaning}`,
		),
		choose: (index) => choose(index === undefined ? undefined : shown[index]?.text),
	};
}

export function treeMenu({conversation}: ReplState, choose: Choose): Menu {
	const rows = treeRows(conversation);
	return {
		title: 'Turns',
		items: rows.map(nameRow),
		choose: (index) => choose(index === undefined ? undefined : rows[index]?.turn.id),
	};
}

function nameRow({number, indent, isOnPath, turn}: TreeRow): string {
	const branch = indent === 0 ? '' : `branch ${indent}, `;
	const place = isOnPath ? '' : 'not sent, ';
	return `turn ${number}, ${branch}${place}${lineOfPrompt(turn.prompt)}`;
}

export function speakMenu({title, items}: Menu): readonly SafeText[] {
	return [
		speakLine(`${title}: ${plural(items.length, 'choice')}.`),
		...items.map((item, index) => speakLine(`${index + 1}. ${item}`)),
		safe`Note: enter a number, or an empty line to go back.`,
	];
}

/** Chooses, or returns why the line is not an answer. */
export function answerMenu({items, choose}: Menu, line: string): readonly SafeText[] {
	const text = line.trim();
	const index = readNumber(text, items.length);
	if (index === undefined && text !== '') {
		const numbers = items.length === 1 ? '1' : `a number from 1 to ${items.length}`;
		return [speakLine(`Error: the answer is ${numbers}, or an empty line.`)];
	}
	choose(index);
	return [];
}
