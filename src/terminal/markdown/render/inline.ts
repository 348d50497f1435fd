/**
 * Renders inline tokens as styled text. Each leaf is decoded before sanitising, so an entity cannot
 * restore anything the sanitizer removes.
 */
import type {Tokens} from 'marked';
import {stripUnsafe} from '../../safe-text.ts';
import type {Style} from '../../theme.ts';
import {showData} from '../stream/data-address.ts';
import {decodeEntities} from '../stream/entities.ts';
import type {Notes} from '../stream/notes.ts';
import {asInlines, type InlineToken, leafText} from '../stream/tokens.ts';
import {describeLink} from './link.ts';
import {writeMath} from './math.ts';
import {noStyles, type Span, textOf} from './span.ts';

export type InlineOptions = {
	/** Without colour, code keeps its backticks. */
	readonly hasColor: boolean;
	/** Without them, addresses are numbered. */
	readonly hasLinks: boolean;
	readonly notes: Notes;
};

/**
 * Returns a block's styled text; a `
 * ` in it is a line break.
 */
export function renderInline(
	tokens: readonly InlineToken[],
	options: InlineOptions,
	styles: readonly Style[] = noStyles,
): readonly Span[] {
	return tokens.flatMap((token) => renderToken(token, options, styles));
}

function renderToken(
	token: InlineToken,
	options: InlineOptions,
	styles: readonly Style[],
): readonly Span[] {
	const nested = ({tokens}: Tokens.Strong | Tokens.Em | Tokens.Del, style: Style) =>
		renderInline(asInlines(tokens), options, [...styles, style]);
	switch (token.type) {
		case 'strong':
			return nested(token, 'bold');
		case 'em':
			return nested(token, 'italic');
		case 'del':
			return nested(token, 'strike');
		case 'codespan': {
			const text = stripUnsafe(showData(options.hasColor ? token.text : token.raw));
			return [{text: text.replaceAll('\n', ' '), styles: [...styles, 'accent']}];
		}
		case 'br':
			return [{text: '\n', styles}];
		case 'link':
			return renderLink(token, options, styles);
		case 'image':
			return renderImage(token, options, styles);
		case 'html':
			return [{text: stripUnsafe(showData(token.raw)), styles: [...styles, 'quiet']}];
		// The item's mark.
		case 'checkbox':
			return [];
		case 'math':
			return [{text: stripUnsafe(writeMath(token.text) ?? token.text), styles}];
		default: {
			const text = leafText(token);
			if (text.includes(']')) options.notes.addBrackets(text);
			return [{text: stripUnsafe(text), styles}];
		}
	}
}

function renderLink(
	token: Tokens.Link,
	options: InlineOptions,
	styles: readonly Style[],
): readonly Span[] {
	const label = renderInline(asInlines(token.tokens), options, [...styles, 'underline']);
	return addAddress(label, decodeEntities(token.href), options, styles);
}

function renderImage(
	token: Tokens.Image,
	options: InlineOptions,
	styles: readonly Style[],
): readonly Span[] {
	const inner = textOf(renderInline(asInlines(token.tokens), options));
	const label = {text: inner.trim() === '' ? 'image' : inner, styles};
	return addAddress([label], decodeEntities(token.href), options, styles);
}

/** Precedes address numbers, telling them from citations such as `[1]`. */
export const addressMark = '↗';

/** Makes a label clickable, or adds its address's number, or the address itself if in doubt. */
function addAddress(
	label: readonly Span[],
	href: string,
	{hasLinks, notes}: InlineOptions,
	styles: readonly Style[],
): readonly Span[] {
	const {url, address} = describeLink(textOf(label), href);
	const link = hasLinks ? url : undefined;
	if (textOf(label).trim() === '') return [{text: address ?? '', styles, link}];
	if (link !== undefined) return label.map((span) => ({...span, link}));
	if (address === undefined) return label;
	const mark = url === undefined ? `(${address})` : `${addressMark}${notes.numberAddress(address)}`;
	return [...label, {text: ` ${mark}`, styles}];
}
