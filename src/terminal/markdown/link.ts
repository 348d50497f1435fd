/**
 * Decides what a link shows and whether it may be clicked. A reader always sees the true address
 * if the label names another one, and only plain web and mail addresses are ever clickable.
 */
import {revealUnsafe} from '../safe-text.ts';

type LinkDescription = {
	/** Where a click leads; ASCII, at most 2 KiB. */
	readonly url: string | undefined;
	/** What is shown behind the label: the address, unless the label is the address. */
	readonly address: string | undefined;
};

const maxUrlLength = 2_048;

const linkable = new Set(['http:', 'https:', 'mailto:']);

// Endings of file names that are no top-level domains, so that `index.ts` is not taken for a host.
const fileName =
	/^[\w.-]+\.(?:js|mjs|cjs|ts|mts|jsx|tsx|json|jsonl|css|scss|html|htm|txt|yml|yaml|toml|xml|csv|c|h|cpp|hpp|java|go|rb|php|lock|png|jpg|jpeg|gif|svg|pdf)$/i;

/**
 * @param label The text of the link as it is shown.
 * @param href The address as the author wrote it, entities decoded.
 */
export function describeLink(label: string, href: string, hasLinks: boolean): LinkDescription {
	const url = parse(href);
	if (url === undefined)
		return {url: undefined, address: sameAddress(label, href) ? undefined : shorten(href)};
	const address = sameAddress(label, url.href) ? undefined : shorten(url.href);
	if (!isLinkable(url)) return {url: undefined, address};
	if (namesAnotherHost(label, url)) return {url: undefined, address: shorten(url.href)};
	return hasLinks ? {url: url.href, address: undefined} : {url: undefined, address};
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

/** Of a `data:` address only its type is of use to a reader. */
function shorten(href: string): string {
	const data = /^data:[^,;]{0,100}/i.exec(href);
	if (data !== null) return revealUnsafe(`${data[0]}…`);
	return revealUnsafe(href.length > maxUrlLength ? `${href.slice(0, maxUrlLength)}…` : href);
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

// Dots that a browser takes for a dot in a host name.
const dot = '[.\\u3002\\uff0e\\uff61]';
/** What reads as an address inside a label: with a scheme, with `www.`, or under a common domain. */
const addressInLabel = new RegExp(
	`[a-z][a-z0-9+.-]{0,20}://[^\\s<>"]+|www${dot}[^\\s<>"]+|[^\\s/:?#@<>()"']+${dot}(?:com|org|net|edu|gov|mil|io|co|dev|app|ai|me|info|biz|xyz|site|online|uk|de|fr|eu|ru|cn|jp|in|br|us|ca|au)(?![\\w-])`,
	'gi',
);
const bareHost = new RegExp(`^[^\\s/:?#@]+${dot}[^\\s/:?#@]{2,}(?:[/:?#]\\S*)?$`);
const mailAddress = /^[^\s@]+@[^\s@]+$/;

function namesAnotherHost(label: string, url: URL): boolean {
	const text = label.trim().slice(0, maxUrlLength);
	if (mailAddress.test(text)) return text.toLowerCase() !== url.pathname.toLowerCase();
	const named: string[] = text.match(addressInLabel) ?? [];
	if (named.length === 0 && bareHost.test(text) && !fileName.test(text)) named.push(text);
	return named.some((address) => hostOf(address) !== withoutWww(url.host));
}

/** The host that a person reads in an address; `undefined` fits no host. */
function hostOf(address: string): string | undefined {
	const typed = address.replace(/[.,;:!?)\]}'"]+$/, '');
	const url = parse(typed.includes('://') ? typed : `http://${typed}`);
	if (url === undefined || url.username !== '' || url.password !== '') return undefined;
	return withoutWww(url.host);
}

function withoutWww(host: string): string {
	return host.replace(/^www\./, '');
}
