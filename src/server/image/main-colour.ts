/**
 * The main colour of an image, from its pixels. Hostile bytes give no colour, never an error.
 */
import type {ImageInfo} from '../../image-type.ts';
import {readGif} from './gif.ts';
import {readJpeg} from './jpeg.ts';
import {type ColourCounter, createColourCounter, type DecodeBudget, type Rgb} from './pixels.ts';
import {readPng} from './png.ts';

type Reader = (bytes: Uint8Array, colours: ColourCounter, budget: DecodeBudget) => void;

const readers: Readonly<Partial<Record<ImageInfo['mediaType'], Reader>>> = {
	'image/png': readPng,
	'image/gif': readGif,
	'image/jpeg': readJpeg,
};

/** Undefined when the type is not decoded here, the bytes are broken, or the budget is spent. */
export function findMainColour(
	bytes: Uint8Array,
	mediaType: ImageInfo['mediaType'],
	budget: DecodeBudget,
): Rgb | undefined {
	const read = readers[mediaType];
	if (read === undefined) return undefined;
	const colours = createColourCounter();
	try {
		read(bytes, colours, budget);
	} catch {
		return undefined;
	}
	return colours.main();
}
