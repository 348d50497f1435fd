/** Errors for request parts without a counterpart in a convention. */
import type {ChatOptions, RequestFields} from '../chat/message.ts';
import {ChatError} from '../errors.ts';

/**
 * @param wire the convention's name
 * @throws {ChatError} `usage` if one of these fields is set
 */
export function refuseFields(
	options: ChatOptions,
	fields: ReadonlyArray<keyof RequestFields>,
	wire: string,
): void {
	for (const field of fields) {
		const value = options[field];
		if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
		throw new ChatError('usage', `the ${wire} wire has no ${field}`, {
			hint: `Leave ${field} out, or use --wire chat.`,
		});
	}
}

/** @param wire the convention's name */
export function recordingError(wire: string): ChatError {
	return new ChatError('usage', `the ${wire} wire takes no recordings`, {
		hint: 'Send the text of the recording, or use --wire chat.',
	});
}
