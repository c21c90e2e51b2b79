import type { Grant } from "@capstan/protocol";
import type { Connection } from "../connection.ts";

/** A grant whose id is known stays as it is. */
export function storeGrant(connection: Connection, grant: Grant): void {
  connection.write("flushed", () => connection.run(insertGrant, grant.id, grant.grantedAt, JSON.stringify(grant)));
}

/** Oldest first. */
export function readGrants(connection: Connection): readonly Grant[] {
  return connection.all<{ readonly body: string }>(selectGrants).map(({ body }) => {
    const grant: Grant = JSON.parse(body);
    return grant;
  });
}

/** @returns whether there was one */
export function removeGrant(connection: Connection, id: string): boolean {
  return connection.write("flushed", () => {
    const [known] = connection.all<{ readonly id: string }>(findGrant, id);
    if (known !== undefined) connection.run(deleteGrant, id);
    return known !== undefined;
  });
}

const insertGrant = "INSERT OR IGNORE INTO grants (id, granted_at, body) VALUES (?, ?, ?)";
const selectGrants = "SELECT body FROM grants ORDER BY granted_at, id";
const findGrant = "SELECT id FROM grants WHERE id = ?";
const deleteGrant = "DELETE FROM grants WHERE id = ?";
