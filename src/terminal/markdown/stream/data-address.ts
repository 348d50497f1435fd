/**
 * Addresses containing their data, as in `![a](data:image/png;base64,…)`. A picture of a few
 * megabytes is one screen line, and must not be lexed again and again while it arrives.
 */
import {formatSize} from '../../../wording.ts';

/** Data kept, so the address stays one. */
const keptLength = 64;

const address =
	/data:([\w/+.-]{1,100}(?:;[\w.+-]{1,40}=[\w.+-]{1,40}){0,3}?)(?:;length=(\d{1,12}))?(;base64)?,([^\s()<>"'`|\\\u0080-\uffff]*)/
		.source;
const openAddress = new RegExp(`^${address}$`, 'i');
const wholeAddress = new RegExp(`^${address}`, 'i');
const everyAddress = new RegExp(address, 'gi');

/** Code fences in items and quotes. */
const innerFence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/gm;
const indentedCode = /^(?: {4}| {0,3}\t)(?![ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/;

/** Whether the source may end in code, which stays as it came. */
function mayEndInCode(source: string): boolean {
	let open = '';
	for (const [, marks = '', info = ''] of source.matchAll(innerFence)) {
		if (open === '') open = marks;
		else if (marks.startsWith(open) && info.trim() === '') open = '';
	}
	return open !== '' || indentedCode.test(source.slice(source.lastIndexOf('\n') + 1));
}

/** Shortens the data where unfinished blocks end, and counts them in a parameter. */
export function dropData(source: string): string {
	const start = Math.max(source.lastIndexOf('data:'), source.lastIndexOf('DATA:'));
	if (start === -1) return source;
	const [, type = '', length = '0', base64 = '', data = ''] =
		openAddress.exec(source.slice(start)) ?? [];
	if (data.length <= keptLength || mayEndInCode(source)) return source;
	const dropped = Number(length) + data.length - keptLength;
	const kept = data.slice(0, keptLength);
	return `${source.slice(0, start)}data:${type};length=${dropped}${base64},${kept}`;
}

/** Returns the data's media type and size in bytes; undefined for another address. */
export function describeData(
	href: string,
): {readonly type: string; readonly bytes: number} | undefined {
	const [, type = '', length = '0', base64, data = ''] = wholeAddress.exec(href) ?? [];
	if (base64 === undefined) return undefined;
	return {type: type.split(';', 1)[0] ?? '', bytes: sizeOf(length, base64, data)};
}

/** Writes shortened data in a text as an ellipsis and their size. */
export function showData(text: string): string {
	if (!text.includes(';length=')) return text;
	return text.replace(everyAddress, (typed, type, length, base64 = '', data) =>
		length === undefined
			? typed
			: `data:${type}${base64},… (${formatSize(sizeOf(length, base64, data))})`,
	);
}

function sizeOf(dropped: string, base64: string, data: string): number {
	const characters = Number(dropped) + data.replace(/=+$/, '').length;
	return base64 === '' ? characters : Math.floor((characters * 3) / 4);
}
