/** Estimates how many tokens texts and messages have, without a tokenizer's tables. */
import {estimateTokenCount} from 'tokenx';
import type {Message, ToolDefinition} from '../chat/message.ts';

/**
 * Corrects what `tokenx` misjudges by more than 20 % against `o200k_base`: hashes and keys, Chinese
 * (Japanese and Korean are right), Cyrillic.
 */
const languageConfigs = [
	{pattern: /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]{16,}$/, averageCharsPerToken: 1.6},
	{pattern: /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9]{4,}$/, averageCharsPerToken: 2.2},
	{
		pattern: /^(?!.*[\u3040-\u30ff\uac00-\ud7af]).*\p{Script=Han}/u,
		averageCharsPerToken: 1.35,
	},
	{pattern: /[а-яё]/i, averageCharsPerToken: 5},
];

/** Sampled instead of read whole from here on, in UTF-16 units: a megabyte takes 100 ms. */
const maxWhole = 512 * 1024;
const samples = 16;
const sampleLength = 16 * 1024;

export function estimateText(text: string): number {
	if (text.length <= maxWhole) return estimateTokenCount(text, {languageConfigs});
	let sum = 0;
	for (let index = 0; index < samples; index++) {
		const start = Math.floor(((text.length - sampleLength) * index) / (samples - 1));
		sum += estimateText(text.slice(start, start + sampleLength));
	}
	return Math.round((sum * text.length) / (samples * sampleLength));
}

/** A message's tokens besides its text. */
const messageTokens = 4;

/** Services charge between 85 and 1,600 tokens. PDFs and recordings are unknown, and not counted. */
const imageTokens = 800;

/** Leaves out reasoning, which most services do not get back. */
export function estimateMessage(message: Message): number {
	const parts = message.parts.map((part) => {
		switch (part.type) {
			case 'text':
			case 'refusal':
				return estimateText(part.text);
			case 'tool-call':
				return estimateText(part.call.name) + estimateText(part.call.arguments);
			case 'json':
				return estimateText(JSON.stringify(part.value));
			case 'image':
				return imageTokens;
			case 'reasoning':
			case 'document':
			case 'audio':
				return 0;
			default:
				return part satisfies never;
		}
	});
	return messageTokens + sumOf(parts);
}

export function estimateMessages(messages: readonly Message[]): number {
	return sumOf(messages.map(estimateMessage));
}

export function estimateTools(tools: readonly ToolDefinition[]): number {
	return tools.length === 0 ? 0 : estimateText(JSON.stringify(tools));
}

function sumOf(counts: readonly number[]): number {
	return counts.reduce((sum, count) => sum + count, 0);
}
