/** The formats of conversations that can be imported. The first that fits counts. */
import {chatGptFormat} from './chat-gpt.ts';
import {claudeFormat} from './claude.ts';
import type {ImportFormat} from './foreign.ts';
import {llmFormat} from './llm.ts';
import {openAiFormat, openAiMessagesFormat} from './openai.ts';
import {ownJsonFormat} from './own-export.ts';
import {ownSessionFormat} from './own-session.ts';
import {shareGptFormat} from './share-gpt.ts';

export const importFormats: readonly ImportFormat[] = [
	ownSessionFormat,
	ownJsonFormat,
	chatGptFormat,
	claudeFormat,
	shareGptFormat,
	openAiFormat,
	llmFormat,
	openAiMessagesFormat,
];
