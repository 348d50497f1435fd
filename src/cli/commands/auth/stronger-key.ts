/** Finds the key that a run uses although another one is stored for its service. */
import type {Environment} from '../../../environment.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {findKey, type KeyOwner} from '../../../settings/service/find-key.ts';

export type StrongerKey = {
	readonly owner: KeyOwner;
	/** A sentence without its full stop, as is `remedy`. */
	readonly problem: string;
	readonly remedy: string;
};

/** @param loaded as the runs will have them */
export function findStrongerKey(
	loaded: LoadedSettings,
	variables: Environment['variables'],
): StrongerKey | undefined {
	const {owner} = findKey(loaded, variables);
	if (owner === undefined) return undefined;
	const {name} = owner;
	const use = 'its key is used, not a stored one';
	if (owner.type !== 'config') {
		const remedy = `To use the stored key: unset ${name}`;
		return {owner, problem: `${name} is set: ${use}`, remedy};
	}
	const {location, source} = owner.layer;
	const flag = source === 'profile' ? ` --profile ${loaded.profile}` : '';
	return {
		owner,
		problem: `${name} ${location} is set: ${use}`,
		remedy: `To use the stored key: chat config unset ${name}${flag}`,
	};
}
