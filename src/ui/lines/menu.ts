/** Numbered lists; a line chooses an item. */
import {createSearchList, type List, type SearchList} from '../../repl/list/list.ts';
import type {MenuValue} from '../../repl/list/menu.ts';
import {chooseByLine, numberItems} from '../../repl/list/numbered.ts';
import type {TreeRow} from '../../repl/list/tree-rows.ts';
import {lineOfPrompt} from '../../repl/turn/prompts.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import {speakLine} from './speak-entry.ts';

type Item = {readonly label: string; readonly value: string};

export type NumberedList = {
	readonly title: string;
	readonly list: SearchList<Item>;
	/** Items listed at once. */
	readonly most?: number;
	/** Whether any other name fits as well: entering it twice uses it. */
	readonly isFree?: true;
	/** The last line's name, if missing from the list. */
	readonly doubted?: string;
	/** Called with an item's value; undefined if the user goes back. */
	readonly choose: (value: string | undefined) => void;
};

export function valueMenu(
	title: string,
	values: readonly MenuValue[],
	choose: NumberedList['choose'],
	{isFree}: Pick<NumberedList, 'isFree'> = {},
): NumberedList {
	const items = values.map(({text, label = text, meaning}) => ({
		label: meaning === undefined ? label : `${label}, ${meaning}`,
		value: text,
	}));
	return {title, list: createSearchList(items), choose, ...(isFree && {isFree})};
}

export function treeMenu(tree: List<TreeRow>, choose: NumberedList['choose']): NumberedList {
	const items = tree.items.map((row) => ({label: nameRow(row), value: row.turn.id}));
	return {title: 'Turns', list: createSearchList(items), most: items.length, choose};
}

function nameRow({number, indent, isOnPath, isHead, turn, compacted}: TreeRow): string {
	const branch = indent === 0 ? '' : `branch ${indent}, `;
	const place = isHead ? 'now, ' : isOnPath ? '' : 'not sent, ';
	const sent = compacted === undefined ? '' : ` (${compacted})`;
	return `turn ${number}, ${branch}${place}${lineOfPrompt(turn.prompt)}${sent}`;
}

export function speakMenu({title, list, most}: NumberedList): readonly SafeText[] {
	const {lines, left} = numberItems(list, labelOf, most);
	return [
		speakLine(`${title}: ${plural(list.items.length, 'choice')}.`),
		...lines.map((line) => speakLine(line)),
		...(left === 0 ? [] : [speakLine(`${left} more.`)]),
		safe`Note: enter a number or a part of a name, or an empty line to go back.`,
	];
}

/** Chooses; or returns the reply to show instead, and the menu staying open. */
export function answerMenu(
	menu: NumberedList,
	line: string,
): {readonly said: readonly SafeText[]; readonly open: NumberedList | undefined} {
	const {doubted, ...open} = menu;
	const {list, most, choose} = open;
	const text = line.trim();
	const chosen = chooseByLine(list, text, labelOf, {most});
	if (chosen !== undefined && 'list' in chosen) {
		const narrowed = {...open, list: chosen.list};
		return {said: speakMenu(narrowed), open: narrowed};
	}
	if (chosen === undefined && isName(open, text)) {
		if (doubted !== text) {
			const ask = `Note: ${text} is not in the list; enter it again to use it anyway.`;
			return {said: [speakLine(ask)], open: {...open, doubted: text}};
		}
		choose(text);
		return {said: [], open: undefined};
	}
	if (chosen === undefined && text !== '') {
		const {lines} = numberItems(list, labelOf, most);
		const numbers = lines.length === 1 ? '1' : `a number from 1 to ${lines.length}`;
		const help = `Error: the answer is ${numbers}, a part of a name, or an empty line.`;
		return {said: [speakLine(help)], open};
	}
	choose(chosen?.item.value);
	return {said: [], open: undefined};
}

/** Whether a line may name something unlisted; a number is a mistake. */
function isName({isFree}: NumberedList, text: string): boolean {
	return isFree === true && /^[^\d\s]\S*$|^\d+\D\S*$/.test(text);
}

function labelOf({label}: Item): string {
	return label;
}
