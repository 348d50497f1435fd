/** One image in words: type, size, main colour, and a fingerprint that tells any two apart. */
import {createHash} from 'node:crypto';
import {clip, plural} from '../answer/text.ts';
import type {RequestImage} from '../request/request.ts';
import {formatColour, nameColour} from './colour-name.ts';
import {findMainColour} from './main-colour.ts';
import type {DecodeBudget} from './pixels.ts';

export function describeImage({url, data}: RequestImage, budget: DecodeBudget): string {
	if (data === undefined) {
		return `an image at ${clip(url, 500)}, which I name but never fetch.`;
	}
	const {bytes, info} = data;
	const type = info.mediaType.slice('image/'.length).toUpperCase();
	const size = info.width === 0 ? 'of unknown size' : `${info.width} x ${info.height} pixels`;
	const colour = findMainColour(bytes, info.mediaType, budget);
	const colourText =
		colour === undefined
			? 'colour not decoded'
			: `mainly ${nameColour(colour)} (${formatColour(colour)})`;
	const fingerprint = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
	return `${type}, ${size}, ${plural(bytes.length, 'byte')}, ${colourText}, fingerprint ${fingerprint}.`;
}
