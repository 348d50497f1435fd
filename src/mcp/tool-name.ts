/** Tool names in requests: `mcp__github__search_issues`. */
import {hashOf} from '../files/trust.ts';

/** Limits set by services. */
const maxLength = 64;
const acceptable = /^[A-Za-z0-9_-]{1,64}$/;
const hashLength = 6;

/** Returns a name accepted by services, the same in every run. */
export function requestName(server: string, tool: string): string {
	const name = `mcp__${server}__${tool}`;
	if (acceptable.test(name)) return name;
	const start = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, maxLength - hashLength - 1);
	return `${start}_${hashOf(tool).slice(0, hashLength)}`;
}
