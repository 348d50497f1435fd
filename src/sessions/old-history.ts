/**
 * The file where earlier versions kept the prompts from all interactive runs. Nothing is added to
 * it.
 */
import {existsSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {join} from 'node:path';
import * as v from 'valibot';
import type {Typed} from '../chat/prompt.ts';
import {withLock} from '../files/lock-file.ts';
import {replaceFile} from '../files/private-files.ts';
import {type JsonObject, parseJsonObject} from '../json.ts';
import {typed} from './session-record.ts';

export type HistoryPrompt = Typed & {
	/** Milliseconds since 1970. */
	readonly at: number;
	/** The run's folder. */
	readonly cwd: string;
};

/** @param directory the folder holding saved conversations */
export function oldHistoryPath(directory: string): string {
	return join(directory, 'history.jsonl');
}

/** Earlier versions made a larger file smaller. */
const maxBytes = 8 * 1_048_576;

const oldPrompt = v.object({at: v.string(), cwd: v.string(), ...typed.entries});

/** Returns none if the file cannot be read, or is not a file. */
export function readOldHistory(directory: string): HistoryPrompt[] {
	let text: string;
	try {
		const path = oldHistoryPath(directory);
		const stats = statSync(path);
		if (!stats.isFile() || stats.size > maxBytes) return [];
		text = readFileSync(path, 'utf8');
	} catch {
		return [];
	}
	return text.split('\n').flatMap((line) => {
		const result = v.safeParse(oldPrompt, parseRecord(line));
		if (!result.success) return [];
		return [{...result.output, at: Date.parse(result.output.at) || 0}];
	});
}

/** A run may have been killed in the middle of the record before. */
function parseRecord(line: string): JsonObject | undefined {
	return parseJsonObject(line.slice(Math.max(0, line.lastIndexOf('{"at":"'))));
}

/**
 * Removes prompts from the earlier versions' file.
 *
 * @throws the system's error when reading or writing fails
 */
export async function forgetPrompts(directory: string, texts: ReadonlySet<string>): Promise<void> {
	const path = oldHistoryPath(directory);
	if (texts.size === 0 || !existsSync(path)) return;
	await withLock(`${path}.lock`, () => {
		const lines = readFileSync(path, 'utf8').split('\n');
		const kept = lines.filter((line) => !texts.has(String(parseRecord(line)?.['text'])));
		if (kept.length < lines.length) replaceFile(realpathSync(path), kept.join('\n'), 'new');
	});
}
