/** `data:` URLs with base64. */

export type DataUrl = {readonly mime: string; readonly base64: string};

const dataUrl = /^data:([^,;]+);base64,/;

export function writeDataUrl({mime, base64}: DataUrl): string {
	return `data:${mime};base64,${base64}`;
}

/** Returns undefined for any other address; the base64 is not checked. */
export function readDataUrl(url: string): DataUrl | undefined {
	const [prefix = '', mime] = dataUrl.exec(url) ?? [];
	return mime === undefined ? undefined : {mime, base64: url.slice(prefix.length)};
}
