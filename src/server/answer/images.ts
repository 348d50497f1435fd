/** Describes the images of a message from their bytes; an address is named, never fetched. */
import {describeImage} from '../image/describe-image.ts';
import {createDecodeBudget} from '../image/pixels.ts';
import type {RequestImage} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {plural} from './text.ts';

const maxDescribed = 50;
const wordPattern = /\b(?:images?|pictures?|photos?|screenshots?|drawings?)\b/i;

export function describeImages(prompt: Prompt): Answer | undefined {
	const images = prompt.images.length > 0 ? prompt.images : findEarlierImages(prompt);
	if (images.length === 0) return undefined;
	const budget = createDecodeBudget();
	const described = images.slice(0, maxDescribed).map((image) => describeImage(image, budget));
	const lines =
		described.length === 1
			? described.map((description) => `The image: ${description}`)
			: described.map((description, index) => `Image ${index + 1}: ${description}`);
	const left = images.length - described.length;
	if (left > 0) lines.push(`And ${plural(left, 'more image')}.`);
	const isCount = /\bhow many (?:images|pictures|photos)\b/i.test(prompt.question);
	if (isCount) lines.unshift(`${plural(images.length, 'image')}:`);
	return {
		text: lines.join('\n\n'),
		essence: isCount ? images.length : (described[0] ?? ''),
		reasons: [`The message shows ${plural(images.length, 'image')}.`, ...lines],
	};
}

/** The images of the latest message that had any, if the prompt speaks of one. */
function findEarlierImages({question, earlier}: Prompt): readonly RequestImage[] {
	if (!wordPattern.test(question)) return [];
	return earlier.findLast(({images}) => images.length > 0)?.images ?? [];
}
