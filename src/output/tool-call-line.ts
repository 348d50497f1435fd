/** A tool call as text: its name and its arguments, one a line, whatever the model put into them. */
import type {ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {parseJson} from '../json.ts';
import {toJsonLine} from './json-shape.ts';

export function formatCall({name, arguments: text}: ToolCall): string {
	return `${toJsonLine(name).slice(1, -2)} ${compactJson(text)}`;
}

const shownArguments = 200;

/** That a call was answered, for a person; what the tool wrote is for the model. */
export function describeResult(call: ToolCall, {output, isError}: ToolOutput): string {
	const line = formatCall(call).trimEnd();
	const shown = line.length > shownArguments ? `${line.slice(0, shownArguments)}…` : line;
	const first = output.split('\n', 1)[0] ?? '';
	return isError ? `tool ${shown} failed: ${first.slice(0, shownArguments)}` : `tool ${shown} ran`;
}

function compactJson(text: string): string {
	const value = parseJson(text);
	return toJsonLine(value === undefined ? text : value);
}
