/** Importable conversation formats. The first match counts. */
import {chatGptFormat} from './chat-gpt.ts';
import {claudeFormat} from './claude.ts';
import type {ImportFormat} from './foreign.ts';
import {llmFormat} from './llm.ts';
import {openAiFormat, openAiMessagesFormat} from './openai.ts';
import {ownFormat} from './own.ts';

export const importFormats: readonly ImportFormat[] = [
	ownFormat,
	chatGptFormat,
	claudeFormat,
	openAiFormat,
	llmFormat,
	openAiMessagesFormat,
];
