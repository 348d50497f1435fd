/** Tool results: as text, and within limits. */
import {type DataUrl, readDataUrl} from '../data-url.ts';
import {isImageType} from '../media-type.ts';
import type {ImagePart, ToolOutputPart} from './message.ts';
import type {ToolOutput} from './tool.ts';

export function textOutput(text: string, isError: boolean): ToolOutput {
	return {parts: [{type: 'text', text}], isError};
}

/** Returns all parts as one text, in which images are only named. */
export function outputText({parts}: Pick<ToolOutput, 'parts'>): string {
	return parts.map(partText).join('\n');
}

function partText(part: ToolOutputPart): string {
	switch (part.type) {
		case 'text':
			return part.text;
		case 'json':
			return JSON.stringify(part.value);
		case 'image':
			return nameImage(part);
		default:
			return part satisfies never;
	}
}

function readImage({url}: ImagePart): DataUrl | undefined {
	const data = readDataUrl(url);
	return data && isImageType(data.mime) ? data : undefined;
}

function nameImage(image: ImagePart): string {
	const {mime, base64} = readImage(image) ?? {};
	if (base64 === undefined) return '[an image of an unsupported type]';
	const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
	return `[${mime}, ${(base64.length / 4) * 3 - padding} bytes]`;
}

/** UTF-16 units. A command may fill 32 KiB with each output. */
const maxTextLength = 72 * 1024;
const headLength = 54 * 1024;
const tailLength = 16 * 1024;
/** UTF-16 units for all images in a result: 20 MiB, like an image in a prompt. */
const maxImageLength = (20 * 1024 * 1024 * 4) / 3;

/**
 * Returns an output that fits a request: long text loses its middle, and an image that is too large
 * or of an unsupported type is only named.
 */
export function limitOutput({parts, isError}: ToolOutput): ToolOutput {
	let imageLength = 0;
	const limited = parts.map((part): ToolOutputPart => {
		if (part.type !== 'image') return part;
		const length = imageLength + part.url.length;
		if (readImage(part) === undefined || length > maxImageLength) {
			return {type: 'text', text: `${nameImage(part)}, left out`};
		}
		imageLength = length;
		return part;
	});
	const text = outputText({parts: limited});
	if (text.length <= maxTextLength) return {parts: limited, isError};
	const images = limited.filter(({type}) => type === 'image');
	return {parts: [{type: 'text', text: cutMiddle(text)}, ...images], isError};
}

function cutMiddle(text: string): string {
	const head = text.slice(0, headLength).replace(/[\ud800-\udbff]$/, '');
	const tail = text.slice(-tailLength).replace(/^[\udc00-\udfff]/, '');
	return `${head}\n[… ${text.length - head.length - tail.length} characters omitted …]\n${tail}`;
}
