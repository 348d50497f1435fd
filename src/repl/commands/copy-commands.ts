/** `/copy` and `/save`: an answer's source, or a part of it, exactly as received. */

import {reasoningOf, turnsSoFar} from '../../chat/conversation.ts';
import type {CodeBlock} from '../../terminal/markdown/stream/code-blocks.ts';
import {plural} from '../../wording.ts';
import type {Update} from '../action.ts';
import type {Completion} from '../list/menu.ts';
import {showNotice} from '../popup.ts';
import type {ReplState} from '../state.ts';
import {startReport} from '../task.ts';
import {answerTexts, codeBlocksOf, shownSoFar} from '../turn/shown-turns.ts';
import type {SlashCommand} from './command.ts';

export const copyCommands: readonly SlashCommand[] = [
	{
		name: 'copy',
		group: 'show',
		parameters: '[n|lang|all]',
		summary: 'copy the last answer, or a code block',
		key: 'Alt-C',
		isBasic: true,
		complete: completeCopy,
		run: copyPart,
	},
	{
		name: 'save',
		group: 'show',
		parameters: '[n] file',
		summary: 'write the answer, or its code block n, to a new file',
		run: savePart,
	},
];

/** @param part nothing for the last answer, a block number or language, `all` or `reasoning` */
export function copyPart(state: ReplState, part: string): Update {
	const found = part === 'all' ? undefined : findPart(state, part);
	if (typeof found === 'string') return showNotice(state, found);
	return startReport(state, {
		name: 'copy',
		isBrief: true,
		run: async ({copy, printConversation}, current) =>
			found === undefined
				? await copy(await printConversation(current), false)
				: await copy(found.text, found.isPartial),
	});
}

/** @param argument a new file's path, after a block number if only that block is wanted */
function savePart(state: ReplState, argument: string): Update {
	const [, part = '', path = ''] = /^(?:(\d+)(?:\s+|$))?([\s\S]*)$/.exec(argument) ?? [];
	if (path === '') {
		const example = part === '' ? '/save answer.md' : `/save ${part} main.py`;
		return showNotice(state, `/save needs a file name: ${example}`);
	}
	const found = findPart(state, part);
	if (typeof found === 'string') return showNotice(state, found);
	return startReport(state, {name: 'save', run: ({save}) => save(found.text, part, path)});
}

type FoundPart = {
	readonly text: string;
	/** Whether the answer may continue. */
	readonly isPartial: boolean;
};

/** Returns a part, or why there is none. */
function findPart(state: ReplState, part: string): FoundPart | string {
	const turns = turnsSoFar(state.conversation, state.now);
	if (part === 'reasoning') {
		const text = turns.map(reasoningOf).findLast((reasoning) => reasoning !== '');
		const isPartial = state.turn?.phase === 'reasoning';
		return text === undefined ? 'there is no reasoning to copy yet' : {text, isPartial};
	}
	if (part === '') {
		const turn = turns.findLast((each) => answerTexts(each).length > 0);
		if (turn === undefined) return 'there is no answer to copy yet';
		const isPartial = turn.id === state.conversation.open?.id;
		return {text: answerTexts(turn).join('\n\n'), isPartial};
	}
	const blocks = codeBlocksOf(shownSoFar(state.shown, state.conversation, state.now));
	const block = findBlock(blocks, part);
	if (typeof block === 'string') return block;
	const isFinal = block.isClosed || codeBlocksOf(state.shown).includes(block);
	if (!isFinal) return 'that code block is not finished yet';
	return {text: block.code, isPartial: false};
}

/** Completes what `/copy` can copy: the code blocks, the newest first, and the rest. */
function completeCopy(query: string, state: ReplState): Completion {
	const values = codeBlocksOf(shownSoFar(state.shown, state.conversation, state.now))
		.map(({language, code}, index) => ({
			text: String(index + 1),
			meaning: `${language} ${code.trim().split('\n')[0]}`.trim(),
		}))
		.reverse();
	const others = [
		{text: 'all', meaning: 'the conversation'},
		{text: 'reasoning', meaning: 'the last reasoning'},
	];
	return {query, values: [...values, ...others]};
}

function findBlock(blocks: readonly CodeBlock[], part: string): CodeBlock | string {
	if (/^\d+$/.test(part)) {
		return blocks[Number(part) - 1] ?? describeMissing(blocks.length);
	}
	const wanted = languageNamed(part);
	const found = blocks.findLast(({language}) => languageNamed(language) === wanted);
	if (found !== undefined) return found;
	return blocks.length === 0 ? describeMissing(0) : `there is no code block in ${part}`;
}

function describeMissing(count: number): string {
	if (count === 0) return 'there is no code block yet';
	return `there ${count === 1 ? 'is' : 'are'} only ${plural(count, 'code block')} yet`;
}

/** Usual short language names. */
const languageAliases: Readonly<Record<string, readonly string[]>> = {
	bash: ['sh', 'shell', 'zsh', 'console'],
	'c++': ['cpp', 'cc', 'cxx'],
	'c#': ['cs', 'csharp'],
	go: ['golang'],
	haskell: ['hs'],
	html: ['htm'],
	javascript: ['js', 'jsx', 'mjs', 'cjs', 'node'],
	kotlin: ['kt'],
	markdown: ['md'],
	perl: ['pl'],
	powershell: ['ps1', 'pwsh'],
	python: ['py', 'python3'],
	ruby: ['rb'],
	rust: ['rs'],
	typescript: ['ts', 'tsx', 'mts'],
	yaml: ['yml'],
};

/** Returns a language's long name, in lower case. */
function languageNamed(written: string): string {
	const word = written.toLowerCase();
	const known = Object.entries(languageAliases).find(([, aliases]) => aliases.includes(word));
	return known?.[0] ?? word;
}
