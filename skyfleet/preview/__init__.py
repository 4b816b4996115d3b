"""What a change of the definition will do: two versions compared, offline, without credentials."""
