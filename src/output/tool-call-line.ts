/** A tool call as text: its name and its arguments, one a line, whatever the model put into them. */
import type {ToolCall} from '../chat/message.ts';
import {toJsonLine} from './json-shape.ts';

export function formatCall({name, arguments: text}: ToolCall): string {
	return `${toJsonLine(name).slice(1, -2)} ${compactJson(text)}`;
}

function compactJson(text: string): string {
	try {
		return toJsonLine(JSON.parse(text));
	} catch {
		return toJsonLine(text);
	}
}
