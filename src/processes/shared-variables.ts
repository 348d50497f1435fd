/** The variables of other programs. */
import type {Variables} from '../environment.ts';

/**
 * Variables that programs commonly need. No API key is among them. The case does not count: Windows has
 * `Path` and `SystemRoot`.
 */
const sharedNames: ReadonlySet<string> = new Set([
	'HOME',
	'LANG',
	'LOGNAME',
	'PATH',
	'SHELL',
	'TMPDIR',
	'TZ',
	'USER',
	// Windows.
	'APPDATA',
	'COMSPEC',
	'LOCALAPPDATA',
	'PATHEXT',
	'PROGRAMDATA',
	'SYSTEMDRIVE',
	'SYSTEMROOT',
	'TEMP',
	'TMP',
	'USERPROFILE',
]);

/** Returns the variables that programs commonly need, and those with other names that are given. */
export function pickVariables(
	variables: Variables,
	names: readonly string[] = [],
): Readonly<Record<string, string>> {
	const picked: Record<string, string> = {};
	for (const [name, value] of Object.entries(variables)) {
		const isShared = sharedNames.has(name.toUpperCase()) || name.startsWith('LC_');
		if (value !== undefined && (isShared || names.includes(name))) picked[name] = value;
	}
	return picked;
}
