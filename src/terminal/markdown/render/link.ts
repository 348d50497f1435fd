/**
 * Decides what a link shows and whether it may be clickable. If the label names another address,
 * the reader sees the true one, and only plain web and mail addresses are clickable.
 */
import {formatSize, shorten} from '../../../wording.ts';
import {escapeInvisible} from '../../safe-text.ts';
import {describeData} from '../stream/data-address.ts';

type LinkDescription = {
	/** A click's target: ASCII, at most 2 KiB. */
	readonly url: string | undefined;
	/** The address to show where the label is not clickable, unless the label is the address. */
	readonly address: string | undefined;
};

const maxUrlLength = 2_048;

const linkable = new Set(['http:', 'https:', 'mailto:']);

// File name extensions that are not top-level domains, so that `index.ts` is not read as a host.
const fileName =
	/^[\w.-]+\.(?:js|mjs|cjs|ts|mts|jsx|tsx|json|jsonl|css|scss|html|htm|txt|yml|yaml|toml|xml|csv|c|h|cpp|hpp|java|go|rb|php|lock|png|jpg|jpeg|gif|svg|pdf)$/i;

/**
 * @param label the link's shown text
 * @param href the address as written, entities decoded
 */
export function describeLink(label: string, href: string): LinkDescription {
	const url = parse(href);
	const target = url?.href ?? href;
	const address = sameAddress(label, target) ? undefined : shortenAddress(target);
	if (url === undefined || !isLinkable(url)) return {url: undefined, address};
	if (namesAnotherHost(label, url)) return {url: undefined, address: shortenAddress(target)};
	return {url: url.href, address};
}

function parse(href: string): URL | undefined {
	try {
		return new URL(href);
	} catch {
		return undefined;
	}
}

function isLinkable(url: URL): boolean {
	if (!linkable.has(url.protocol) || url.username !== '' || url.password !== '') return false;
	return url.href.length <= maxUrlLength && /^[!-~]+$/.test(url.href);
}

/** Shortens an address; a `data:` address to its type and size. */
function shortenAddress(href: string): string {
	const data = describeData(href);
	if (data !== undefined)
		return escapeInvisible(`${nameType(data.type)}, ${formatSize(data.bytes)}`);
	const other = /^data:[^,;]{0,100}/i.exec(href);
	if (other !== null) return escapeInvisible(`${other[0]}…`);
	return escapeInvisible(shorten(href, maxUrlLength));
}

function nameType(type: string): string {
	const [, image] = /^image\/([a-z\d]+)$/i.exec(type) ?? [];
	return image?.toUpperCase() ?? type;
}

function sameAddress(label: string, href: string): boolean {
	return withoutDress(label) === withoutDress(href);
}

function withoutDress(address: string): string {
	return address
		.trim()
		.replace(/^(?:https?:\/\/|mailto:)/i, '')
		.replace(/\/$/, '')
		.toLowerCase();
}

// The dot, and the characters that a browser or a reader takes for one.
const dots = '.\u00b7\u0701\u0702\u06d4\u2022\u2024\u2027\u2219\u22c5\u3002\ufe52\uff0e\uff61';
/** Characters without width, which a reader does not see. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;
const spaceBeforeDot = new RegExp(`\\s(?=[${dots}]\\p{L})`, 'gu');
const betweenWords = /[\s<>()"“”„«»,;!|]+/u;
const aroundWord = /^['‘’]+|[.:?…'‘’]+$/gu;

const versionNumber = /^v?\d+(?:\.\d+){0,2}$/i;
/** Signs of an address, whatever its ending: host names end in anything. */
const addressMarks: readonly RegExp[] = [
	new RegExp(`[^${dots}][${dots}][^${dots}]`, 'u'),
	/^localhost(?::|$)/i,
	/\p{L}[^:]*:\d{2,5}$/u,
	// IPv6.
	/^\[?[\da-f]*:[\da-f:]*:/i,
];
const mailAddress = /^[^\s@]+@[^\s@]+$/;

/** Whether a reader could take part of the label for another address. */
function namesAnotherHost(label: string, url: URL): boolean {
	if (label.length > maxUrlLength) return true;
	const text = label.replace(unseen, '').replace(spaceBeforeDot, '');
	const words = text.split(betweenWords).map((word) => word.replace(aroundWord, ''));
	return words.some((word) => readsAsAddress(word) && !names(word, url));
}

function readsAsAddress(word: string): boolean {
	if (word.includes('://')) return true;
	const [host = ''] = word.split(/[/\\?#]/, 1);
	if (fileName.test(host) || versionNumber.test(host)) return false;
	return addressMarks.some((mark) => mark.test(host));
}

function names(address: string, url: URL): boolean {
	const mail = address.replace(/^mailto:/i, '');
	if (mailAddress.test(mail)) return mail.toLowerCase() === url.pathname.toLowerCase();
	return hostOf(address) === withoutWww(url.host);
}

/** Returns the host a person reads in an address, if any. */
function hostOf(address: string): string | undefined {
	const url = parse(address.includes('://') ? address : `http://${address}`);
	if (url === undefined || url.username !== '' || url.password !== '') return undefined;
	return withoutWww(url.host);
}

function withoutWww(host: string): string {
	return host.replace(/^www\./, '');
}
