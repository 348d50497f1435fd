/** A model's Markdown as HTML. Every text is escaped; HTML inside it stays text. */
import type {Token, Tokens} from 'marked';
import {describeLink} from '../../terminal/markdown/render/link.ts';
import {decodeEntities} from '../../terminal/markdown/stream/entities.ts';
import {createDefinitions, type Lexed, lexBlocks} from '../../terminal/markdown/stream/lexer.ts';
import {
	asBlocks,
	asInlines,
	type BlockToken,
	type InlineToken,
	leafText,
} from '../../terminal/markdown/stream/tokens.ts';
import {escapeAttribute, escapeText, writeImage} from './html-text.ts';

export function writeMarkdownHtml(text: string): string {
	const lexed = lexBlocks(text.replace(/\r\n?/g, '\n'), createDefinitions());
	return writeBlocks(lexed.blocks, lexed);
}

function writeBlocks(blocks: readonly BlockToken[], lexed: Lexed): string {
	return blocks.map((block) => writeBlock(block, lexed)).join('');
}

function writeBlock(token: BlockToken, lexed: Lexed): string {
	switch (token.type) {
		case 'space':
		case 'def':
			return '';
		case 'heading': {
			// Below the page title and the message heading.
			const tag = `h${Math.min(token.depth + 2, 6)}`;
			return element(tag, writeInlines(lexed.inline(token.tokens)));
		}
		case 'code':
			return writeCode(token.text);
		case 'hr':
			return '<hr>\n';
		case 'blockquote':
			return element('blockquote', writeBlocks(asBlocks(token.tokens), lexed));
		case 'list':
			return writeList(token, lexed);
		case 'table':
			return writeTable(token, lexed);
		case 'html':
			return element('p', escapeText(token.text.trimEnd()));
		case 'checkbox':
			return token.checked ? '☑ ' : '☐ ';
		case 'paragraph':
			return element('p', writeInlines(lexed.inline(token.tokens)));
		case 'text':
			return writeInlines(lexed.inline(token.tokens));
		default:
			return escapeText((token satisfies never as Token).raw);
	}
}

/** An element takes its own text's direction. */
function element(tag: string, content: string): string {
	return `<${tag} dir="auto">${content}</${tag}>\n`;
}

export function writeCode(text: string): string {
	return `<pre dir="auto"><code>${escapeText(text)}</code></pre>\n`;
}

function writeList({ordered, start, items}: Tokens.List, lexed: Lexed): string {
	const content = items.map((item) => element('li', writeBlocks(asBlocks(item.tokens), lexed)));
	const tag = ordered ? 'ol' : 'ul';
	const from = ordered && Number.isSafeInteger(start) && start !== 1 ? ` start="${start}"` : '';
	return `<${tag}${from}>\n${content.join('')}</${tag}>\n`;
}

function writeTable({header, rows}: Tokens.Table, lexed: Lexed): string {
	const writeRow = (cells: readonly Tokens.TableCell[], tag: string) => {
		const content = cells.map(({align, tokens}) => {
			const style = align === null ? '' : ` style="text-align:${align}"`;
			return `<${tag} dir="auto"${style}>${writeInlines(lexed.inline(tokens))}</${tag}>`;
		});
		return `<tr>${content.join('')}</tr>\n`;
	};
	const body = rows.map((cells) => writeRow(cells, 'td')).join('');
	return `<table>\n${writeRow(header, 'th')}${body}</table>\n`;
}

function writeInlines(tokens: readonly InlineToken[]): string {
	return tokens.map(writeInline).join('');
}

function writeInline(token: InlineToken): string {
	switch (token.type) {
		case 'strong':
		case 'em':
		case 'del': {
			const content = writeInlines(asInlines(token.tokens));
			return `<${token.type}>${content}</${token.type}>`;
		}
		case 'codespan':
			return `<code>${escapeText(token.text)}</code>`;
		case 'br':
			return '<br>\n';
		case 'link':
			return writeLink(writeInlines(asInlines(token.tokens)), textOf(token.tokens), token.href);
		case 'image': {
			const name = decodeEntities(token.text);
			const image = writeImage(decodeEntities(token.href), name);
			return image ?? writeLink(escapeText(name), name, token.href);
		}
		case 'checkbox':
			return token.checked ? '☑ ' : '☐ ';
		default:
			return escapeText(leafText(token));
	}
}

/** Links a web or mail address, unless the label names another one. */
export function writeLink(label: string, labelText: string, written: string): string {
	const {url, address} = describeLink(labelText, decodeEntities(written));
	const shown = label.trim() === '' ? escapeText(address ?? url ?? '') : label;
	if (url !== undefined) {
		const href = escapeAttribute(url);
		return `<a href="${href}" rel="noopener noreferrer nofollow">${shown}</a>`;
	}
	return address === undefined ? shown : `${shown} (${escapeText(address)})`;
}

function textOf(tokens: readonly Token[]): string {
	return asInlines(tokens)
		.map((token) => {
			if ('tokens' in token && token.tokens !== undefined) return textOf(token.tokens);
			return 'text' in token ? decodeEntities(token.text) : token.raw;
		})
		.join('');
}
