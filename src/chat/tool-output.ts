/** The results of calls: as text, and within limits. */
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

const imageData = /^data:(image\/(?:png|jpeg|gif|webp));base64,/;

function nameImage({url}: ImagePart): string {
	const [prefix = '', mediaType] = imageData.exec(url) ?? [];
	if (mediaType === undefined) return '[an image of an unsupported type]';
	const padding = url.endsWith('==') ? 2 : Number(url.endsWith('='));
	return `[${mediaType}, ${((url.length - prefix.length) / 4) * 3 - padding} bytes]`;
}

/** UTF-16 units. A command may fill 32 KiB with each of its two outputs. */
const maxTextLength = 72 * 1024;
const headLength = 54 * 1024;
const tailLength = 16 * 1024;
/** UTF-16 units of all images of a result: 20 MiB, as for an image of a prompt. */
const maxImageLength = (20 * 1024 * 1024 * 4) / 3;

/**
 * Returns an output that a request can carry: the middle of a long text is left out, and an image that
 * is too large, or of a type that services do not accept, is only named.
 */
export function limitOutput({parts, isError}: ToolOutput): ToolOutput {
	let imageLength = 0;
	const limited = parts.map((part): ToolOutputPart => {
		if (part.type !== 'image') return part;
		const length = imageLength + part.url.length;
		if (!imageData.test(part.url) || length > maxImageLength) {
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
