/** Importable conversation formats. The first match counts. */
import {aichatFormat} from './aichat.ts';
import {chatGptFormat} from './chat-gpt.ts';
import {claudeFormat} from './claude.ts';
import {claudeCodeFormat} from './claude-code.ts';
import {codexFormat} from './codex.ts';
import {copilotFormat} from './copilot.ts';
import type {ImportFormat} from './foreign.ts';
import {geminiFormat} from './gemini.ts';
import {llmFormat} from './llm.ts';
import {openAiFormat, openAiMessagesFormat} from './openai.ts';
import {ownFormat} from './own.ts';
import {piFormat} from './pi.ts';
import {qwenFormat} from './qwen.ts';
import {atifFormat, crushFormat, gptmeFormat} from './small-formats.ts';

export const importFormats: readonly ImportFormat[] = [
	ownFormat,
	chatGptFormat,
	claudeFormat,
	claudeCodeFormat,
	codexFormat,
	geminiFormat,
	qwenFormat,
	piFormat,
	copilotFormat,
	aichatFormat,
	crushFormat,
	atifFormat,
	gptmeFormat,
	openAiFormat,
	llmFormat,
	openAiMessagesFormat,
];
