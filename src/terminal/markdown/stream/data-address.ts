/**
 * Addresses that are the data themselves, as in `![a](data:image/png;base64,…)`. A picture of a few
 * megabytes is one line of a screen, and must not be lexed again and again while it arrives.
 */

/** Base64 that is kept, so that the address stays one. */
const keptLength = 64;

const open = /\]\((data:[\w/+.-]{1,100})(?:;length=(\d+))?;base64,([A-Za-z0-9+/=]*)$/;

/** Shortens the data at the end of a paragraph, and counts them in a parameter. */
export function dropData(source: string): string {
	const start = source.lastIndexOf('](data:');
	if (start === -1) return source;
	const [, type = '', counted = '0', data = ''] = open.exec(source.slice(start)) ?? [];
	if (data.length <= keptLength) return source;
	const dropped = Number(counted) + data.length - keptLength;
	return `${source.slice(0, start)}](${type};length=${dropped};base64,${data.slice(0, keptLength)}`;
}

const whole = /^data:([\w/+.-]{1,100})(?:;length=(\d+))?;base64,([A-Za-z0-9+/=]*)/i;

/** Returns the type and the size of the data in bytes; undefined for another address. */
export function describeData(
	href: string,
): {readonly type: string; readonly bytes: number} | undefined {
	const [, type, counted = '0', data = ''] = whole.exec(href) ?? [];
	if (type === undefined) return undefined;
	return {type, bytes: Math.floor(((Number(counted) + data.replace(/=+$/, '').length) * 3) / 4)};
}
