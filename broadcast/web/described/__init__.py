"""What programs may rely on, as data: the JSON's schemas and addresses (OpenAPI), the events of the streams."""
