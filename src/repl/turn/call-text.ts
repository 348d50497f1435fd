/** A tool call as text. Untrusted. */
import {parseJson} from '../../json.ts';
import {nameTool} from '../../wording.ts';

type Call = {readonly name: string; readonly arguments: string};

/** Returns the call on one line, unless its arguments are not JSON. */
export function lineOfCall({name, arguments: text}: Call): string {
	const value = parseJson(text);
	return `${nameTool(name)} ${value === undefined ? text : JSON.stringify(value)}`.trim();
}

/** Returns the arguments as indented JSON; as they came, if they are not JSON. */
export function linesOfArguments({arguments: text}: Call): readonly string[] {
	const value = parseJson(text);
	return (value === undefined ? text : JSON.stringify(value, undefined, 2)).split('\n');
}
