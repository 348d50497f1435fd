/**
 * Checks the content of a message: a string or parts, on every role; images for users of `sol`.
 */
import {isJsonObject} from '../../json.ts';
import type {Tier} from '../models.ts';
import {invalidRequest} from '../service-error.ts';
import {checkImage} from './check-image.ts';
import {checkArray, checkObject, checkString, checkWord, requireField} from './checks.ts';
import type {RequestImage, RequestMessage} from './request.ts';

type Content = {readonly texts: readonly string[]; readonly images: readonly RequestImage[]};

type Part = string | RequestImage;

/** @throws {ServiceError} 400 that names the part. */
export function checkContent(
	value: unknown,
	path: string,
	role: RequestMessage['role'],
	tier: Tier,
): Content {
	if (typeof value === 'string') return {texts: [value], images: []};
	if (!Array.isArray(value)) {
		const actual = isJsonObject(value) ? 'an object' : `${value}`;
		throw invalidRequest(path, `${path} must be a string or an array of parts, not ${actual}`);
	}
	if (value.length === 0) throw invalidRequest(path, `${path} must have at least one part`);
	const checkPart = (part: unknown, at: string) => checkOnePart(part, at, role, tier);
	const parts = checkArray(checkPart)(value, path);
	return {
		texts: parts.filter((part) => typeof part === 'string'),
		images: parts.filter((part) => typeof part !== 'string'),
	};
}

function checkOnePart(
	value: unknown,
	path: string,
	role: RequestMessage['role'],
	tier: Tier,
): Part {
	const part = checkObject(value, path);
	const type = requireField(part, 'type', path, checkWord(['text', 'image_url']));
	if (type === 'text') return requireField(part, 'text', path, checkString);
	if (role !== 'user') {
		throw invalidRequest(path, `${path} is an image; only user messages may hold images`);
	}
	const image = requireField(part, 'image_url', path, checkImage);
	if (tier !== 'sol') {
		const message = `${path} is an image; images are for the sol tier, and this model is of the ${tier} tier`;
		throw invalidRequest(path, message, 'unsupported_image');
	}
	return image;
}
