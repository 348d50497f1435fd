/** Untrusted text in HTML: nothing in it is markup, and nothing in it is invisible. */
import {readDataUrl} from '../../data-url.ts';
import {isImageType} from '../../media-type.ts';
import {nameCodePoint} from '../../terminal/safe-text.ts';

/** Controls, lone surrogates, and characters changing the reading order. */
const hidden = /(?![\t\n])[\p{Cc}\p{Cs}]|[\u202a-\u202e\u2066-\u2069]/gu;
const special = /[&<>"']/g;

export function escapeText(text: string): string {
	const lines = text.replace(/\r\n?/g, '\n');
	return escapeMarkup(lines).replace(hidden, (character) => `<i>${nameCodePoint(character)}</i>`);
}

/** Returns the text for an attribute value, or an element without children. */
export function escapeAttribute(text: string): string {
	return escapeMarkup(text).replace(hidden, nameCodePoint);
}

function escapeMarkup(text: string): string {
	return text.replace(special, (character) => `&#${character.charCodeAt(0)};`);
}

const onlyBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns an image contained in its address; undefined for any other, which would be fetched. */
export function writeImage(address: string, name: string): string | undefined {
	const {mime = '', base64 = ''} = readDataUrl(address) ?? {};
	if (!isImageType(mime) || !onlyBase64.test(base64)) return undefined;
	return `<img alt="${escapeAttribute(name)}" src="${address}">`;
}
