/**
 * Markdown blocks for a listener or a braille display: structure as words, a paragraph as one line,
 * a table as records, code exactly as it is.
 */
import type {Token, Tokens} from 'marked';
import {plural} from '../../../wording.ts';
import {describeLink} from '../render/link.ts';
import {showData} from '../stream/data-address.ts';
import {decodeEntities} from '../stream/entities.ts';
import {languageOf, readFence} from '../stream/fence.ts';
import type {Lexed} from '../stream/lexer.ts';
import {
	asBlocks,
	asInlines,
	type BlockToken,
	type InlineToken,
	leafText,
} from '../stream/tokens.ts';

type Speech = {
	readonly lexed: Lexed;
	/** Counts a block and returns its number, from 1. */
	readonly count: (kind: string) => number;
};

/** Block kinds counted where they are not part of another. */
const kinds: Partial<Record<BlockToken['type'], string>> = {
	heading: 'heading',
	paragraph: 'paragraph',
	text: 'paragraph',
	list: 'list',
	table: 'table',
	blockquote: 'quote',
};

export function kindOf({type}: BlockToken): string | undefined {
	return kinds[type];
}

/**
 * Returns a block's lines, not sanitised yet.
 *
 * @param label the enclosing list item's label
 */
export function speakBlock(token: BlockToken, speech: Speech, label: string): readonly string[] {
	const inline = ({tokens}: {readonly tokens: Token[]}) =>
		speakInline(speech.lexed.inline(tokens)).trim();
	switch (token.type) {
		case 'space':
		case 'checkbox':
			return [];
		case 'def':
			return [showData(token.raw.trim())];
		case 'heading':
			return [`Heading ${token.depth}: ${inline(token)}`];
		case 'code':
			return speakCode(token, speech.count);
		case 'hr':
			return ['Separator.'];
		case 'blockquote': {
			const lines = asBlocks(token.tokens).flatMap((block) => speakBlock(block, speech, label));
			return lines.length === 1 ? [`Quote: ${lines[0]}`] : ['Quote:', ...lines, 'End of quote.'];
		}
		case 'list':
			return token.items.flatMap((item, index) => {
				const mark = token.ordered ? `${Number(token.start) + index}.` : '•';
				return speakItem(item, speech, label + mark);
			});
		case 'table': {
			const names = token.header.map(inline);
			const rows = token.rows.map((cells) => cells.map(inline));
			return speakTable(names, rows);
		}
		case 'html':
			return showData(token.text).trimEnd().split('\n');
		case 'paragraph':
		case 'text':
			return inline(token).split('\n');
		default:
			return [(token satisfies never as BlockToken).raw];
	}
}

/** The name used when counting fenced code blocks. */
export const codeBlock = 'code block';

/** Numbers fenced blocks alone, which can be copied by their number. */
function speakCode({raw, text}: Tokens.Code, count: Speech['count']): readonly string[] {
	const fence = readFence(raw);
	const name = fence === undefined ? 'Code' : `Code block ${count(codeBlock)}`;
	const lines = text === '' ? [] : text.split('\n');
	const parts = [name, fence === undefined ? '' : languageOf(fence), plural(lines.length, 'line')];
	const title = parts.filter((part) => part !== '').join(', ');
	return [`${title}:`, ...lines, `End of ${fence === undefined ? 'code' : name.toLowerCase()}.`];
}

function speakItem(item: Tokens.ListItem, speech: Speech, label: string): readonly string[] {
	const blocks = asBlocks(item.tokens);
	const box = item.task ? (item.checked ? 'checked: ' : 'not checked: ') : '';
	const lines = blocks.flatMap((block) => speakBlock(block, speech, label));
	// A list coming first speaks its own label.
	if (box === '' && blocks.find(({type}) => type !== 'space')?.type === 'list') return lines;
	const [first = '', ...others] = lines;
	return [`${label} ${box}${first}`, ...others];
}

function speakTable(
	names: readonly string[],
	rows: ReadonlyArray<readonly string[]>,
): readonly string[] {
	const size = `${plural(rows.length, 'row')}, ${plural(names.length, 'column')}`;
	if (rows.length === 0) return [`Table, ${size}: ${names.join(', ')}.`];
	const records = rows.map((cells, index) => {
		const fields = cells.map((cell, column) => endSentence(`${names[column]}: ${cell || 'empty'}`));
		return `Row ${index + 1}. ${fields.join(' ').replaceAll('\n', ' ')}`;
	});
	return [`Table, ${size}:`, ...records, 'End of table.'];
}

function endSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * Returns the text; a `
 * ` in it is an intended line break.
 */
function speakInline(tokens: readonly InlineToken[]): string {
	return tokens.map(speakToken).join('');
}

function speakToken(token: InlineToken): string {
	switch (token.type) {
		case 'strong':
		case 'em':
			return speakInline(asInlines(token.tokens));
		case 'del':
			return `(struck out: ${speakInline(asInlines(token.tokens))})`;
		case 'br':
			return '\n';
		case 'link':
			return withAddress(speakInline(asInlines(token.tokens)), token.href);
		case 'image': {
			const name = speakInline(asInlines(token.tokens)).trim();
			return `Image: ${withAddress(name === '' ? 'no description' : name, token.href)}`;
		}
		case 'checkbox':
			return '';
		case 'codespan':
			return showData(token.raw).replaceAll('\n', ' ');
		case 'math':
			// A line break may end a TeX comment.
			return token.text;
		default:
			return leafText(token).replaceAll('\n', ' ');
	}
}

function withAddress(name: string, href: string): string {
	const {address} = describeLink(name, decodeEntities(href));
	if (address === undefined) return name;
	return name.trim() === '' ? address : `${name} (${address})`;
}
